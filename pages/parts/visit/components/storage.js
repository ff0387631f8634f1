// What the browser keeps, of this tab in sessionStorage and of all its tabs in localStorage; where it allows no storage, until the tab is
// closed. "" is nothing.
const inMemory = { sessionStorage: {}, localStorage: {} };

function read(storage, name) {
  try {
    return window[storage].getItem(name) ?? inMemory[storage][name] ?? "";
  } catch {
    return inMemory[storage][name] ?? "";
  }
}

function write(storage, name, text) {
  inMemory[storage][name] = text;
  try {
    if (text) window[storage].setItem(name, text);
    else window[storage].removeItem(name);
  } catch {
    // in memory alone
  }
}

// 32 random digits to the base 16.
function randomDigits() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
