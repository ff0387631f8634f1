// Put into a page whose clock a test puts forward: what it waits for comes in its time, or when the test says that the time has passed.
// playwright's own clock is that of all pages of a context, and a context for it alone compiles every script anew.
(() => {
  const waiting = new Map(), [now, day] = [performance.now.bind(performance), Date.now.bind(Date)];
  const { setTimeout: begin, clearTimeout: end } = window;
  let ahead = 0, last = 2 ** 40; // no number of a timer that the browser has given
  performance.now = () => now() + ahead;
  Date.now = () => day() + ahead;

  function arm(id, timer) {
    timer.own = begin(() => come(id, timer), timer.due - performance.now());
  }

  function come(id, timer) {
    if (timer.every) arm(id, Object.assign(timer, { due: Math.max(timer.due, performance.now()) + timer.every }));
    else waiting.delete(id);
    timer.call();
  }

  const wait = (repeats) => (call, ms, ...given) => {
    const long = Math.max(Number(ms) || 0, 1), timer = { due: performance.now() + long, every: repeats && long, call: () => call(...given) };
    waiting.set(++last, timer);
    arm(last, timer);
    return last;
  };
  const forget = (id) => {
    end(waiting.get(id)?.own ?? id);
    waiting.delete(id);
  };
  Object.assign(window, { setTimeout: wait(false), setInterval: wait(true), clearTimeout: forget, clearInterval: forget });

  window.tbtPutForward = async (ms) => {
    const until = performance.now() + ms;
    for (;;) {
      const [[id, timer] = []] = [...waiting].filter(([, { due }]) => due <= until).sort(([, a], [, b]) => a.due - b.due);
      if (!timer) break;
      ahead += Math.max(0, timer.due - performance.now());
      end(timer.own);
      come(id, timer);
      await null;
    }
    ahead += Math.max(0, until - performance.now());
    for (const [id, timer] of waiting) {
      end(timer.own);
      arm(id, timer);
    }
  };
})();
