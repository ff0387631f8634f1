// Put into every page of a browser test: whether a run of the server is asked for or under way, read off Streamlit's own messages.
// A test that counted elements, or waited a while, would be slow on a fast machine and wrong on a slow one.
(() => {
  const RERUN_SCRIPT = 11, IS_AUTO_RERUN = 6; // BackMsg.proto, ClientState.proto
  const NEW_SESSION = 4, SCRIPT_FINISHED = 6, EARLY_FOR_RERUN = 2; // ForwardMsg.proto

  function fields(bytes) {
    // Number and value of a protobuf message's outermost fields; of a field with a length, its bytes.
    const found = new Map();
    let at = 0;
    const varint = () => {
      for (let value = 0, scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        value += (byte % 128) * scale;
        if (byte < 128 || at >= bytes.length) return value;
      }
    };
    while (at < bytes.length) {
      const tag = varint(), [number, kind] = [Math.floor(tag / 8), tag % 8];
      const value = kind === 0 || kind === 2 ? varint() : 0;
      found.set(number, kind === 2 ? bytes.subarray(at, at + value) : value);
      at += kind === 2 ? value : kind === 1 ? 8 : kind === 5 ? 4 : 0;
    }
    return found;
  }

  // open: asked for and not ended; begun: since it was asked for; timed: how many were asked for by a timer
  const runs = { open: false, begun: true, asked: 0, timed: 0 };
  window.tbtRuns = runs;

  window.WebSocket = class extends window.WebSocket {
    constructor(...options) {
      super(...options);
      this.addEventListener("message", ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return;
        const told = fields(new Uint8Array(data));
        if (told.has(NEW_SESSION)) runs.open = runs.begun = true;
        if (told.has(SCRIPT_FINISHED) && told.get(SCRIPT_FINISHED) !== EARLY_FOR_RERUN && runs.begun) runs.open = false;
      });
      this.addEventListener("close", () => { runs.open = runs.begun = true; }); // a new connection asks anew, or another has not
    }

    send(data) {
      const asked = ArrayBuffer.isView(data) && fields(data).get(RERUN_SCRIPT);
      // What a fragment's timer asks for is open when it begins: the server drops it where the fragment is gone, and says nothing.
      if (asked && fields(asked).get(IS_AUTO_RERUN)) runs.timed += 1;
      else if (asked) {
        Object.assign(runs, { open: true, begun: false });
        runs.asked += 1;
      }
      super.send(data);
    }
  };
})();
