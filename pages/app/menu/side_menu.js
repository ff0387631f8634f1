// The lessons in the side bar: which one is shown, and a press that opens another without loading the page anew: Streamlit opens what
// the address bar says, as for the browser's own Back. Where there is no room for a lesson beside it, it is folded away again.
const BROAD = 1400; // pixels: the side bar's 300 and what a lesson's figure, strip and foot need beside it

function plain({ button, ctrlKey, metaKey, shiftKey, altKey }) {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

export default function ({ data, parentElement }) {
  for (const link of parentElement.querySelectorAll("a")) {
    if (link.dataset.page === data.page) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    link.onclick = (event) => {
      if (!plain(event)) return;
      event.preventDefault();
      window.history.pushState(null, "", link.href);
      window.dispatchEvent(new PopStateEvent("popstate"));
      if (window.innerWidth < BROAD) document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
    };
  }
  window.tbtAnswered?.();
}
