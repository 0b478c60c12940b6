// The page around the frame: says why the frame cannot start, makes it as tall as its contents, and hands it the files
// that are dropped next to it. It knows no secret.

const frame = document.getElementById("reader");
const off = document.getElementById("off");

/** Returns the reason why the browser cannot run the reader; null if it can. */
function obstacle() {
  const device = navigator.userAgent;
  const isTouchMac = /Macintosh/.test(device) && navigator.maxTouchPoints > 1;
  if (/iPhone|iPad|iPod/.test(device) || isTouchMac) {
    return "This is an iPhone or iPad, which cannot open backups in this way. Use a computer.";
  }
  if (typeof WebAssembly !== "object") {
    return "WebAssembly is off in this browser. Lockdown Mode of Apple devices and the levels “Safer” and “Safest” of Tor " +
      "Browser turn it off. Exclude this browser from Lockdown Mode, or use another browser.";
  }
  if (typeof BigInt !== "function" || typeof DecompressionStream !== "function" || !Array.prototype.at) {
    return "This browser is too old. Use a current Firefox, Chrome, Edge or Safari.";
  }
  return null;
}

function show(reason) {
  off.hidden = reason === null;
  off.textContent = reason;
}

const reason = obstacle();
if (reason !== null) {
  show(reason);
  frame.hidden = true;
} else {
  show("Starting …");
  setTimeout(() => {
    if (!off.hidden) show("The part of this page that opens backups did not start. Try another browser.");
  }, 15000);
}

window.addEventListener("message", (event) => {
  if (event.source !== frame.contentWindow || typeof event.data !== "object" || event.data === null) return;
  if (typeof event.data.trouble === "string") show(event.data.trouble);
  if (event.data.ready === true) show(null);
  const height = event.data.height;
  if (Number.isFinite(height)) frame.style.height = `${Math.max(200, Math.min(100000, Math.ceil(height)))}px`;
});

// Without this, a file that is dropped on the page would replace it.
window.addEventListener("dragover", (event) => event.preventDefault());
window.addEventListener("drop", (event) => {
  event.preventDefault();
  frame.contentWindow.postMessage({ files: [...event.dataTransfer.files] }, "*");
});
