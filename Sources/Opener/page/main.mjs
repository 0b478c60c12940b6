// The frame: three steps, each in its section. Choose archives, open one, look at it and save.

import { connect, moved } from "./calls.mjs";
import { chooseSection } from "./choose.mjs";
import { contentsSection } from "./show.mjs";
import { announce } from "./elements.mjs";
import { secretsSection } from "./secrets.mjs";

const main = document.getElementById("main");
let module = null;
const script = document.getElementById("worker").textContent;

/** Everything that the sections share. */
const work = { files: [], archives: [], call: null, onProgress: () => {}, collected: null };

/** The WebAssembly module, which stands in this page packed. */
async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function startWorker() {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  worker.onerror = (event) => fail(event.message);
  return worker;
}

function fail(message) {
  parent.postMessage({ trouble: `The reader of this page failed: ${message}` }, "*");
}

/** Argon2id in a worker of its own, whose memory comes back when it ends. */
async function derive(argument) {
  const worker = startWorker();
  try {
    const key = await connect(worker, {})("derive", { module, argument });
    return moved(key, [key.buffer]);
  } finally {
    argument.passphrase.fill(0);
    worker.terminate();
  }
}

async function start() {
  module = await unpacked(document.getElementById("module").textContent);
  work.call = connect(startWorker(), {
    derive,
    progress: (state) => work.onProgress(state),
    async read({ file, offset, length }) {
      const bytes = new Uint8Array(await work.files[file].slice(offset, offset + length).arrayBuffer());
      return moved(bytes, [bytes.buffer]);
    },
    piece: (bytes) => work.collected?.add(bytes),
    content: (bytes) => work.collected?.content(bytes),
    member: (header) => work.collected?.member(header),
  });
  await work.call("load", module);
  main.append(chooseSection(work, opened));
  parent.postMessage({ ready: true }, "*");
}

/** Shows what the chosen archive needs, and then what is in it. */
function opened(archive) {
  for (const later of main.querySelectorAll("section:not(.choose)")) later.remove();
  if (archive === null) return;
  const secrets = secretsSection(work, archive, (contents) => {
    const shown = contentsSection(work, archive, contents, () => {
      work.call("close");
      shown.remove();
      opened(archive);
      announce("The archive is closed.");
    });
    secrets.replaceWith(shown);
    shown.querySelector("h2").focus();
  });
  main.append(secrets);
}

new ResizeObserver(() => {
  parent.postMessage({ height: document.documentElement.getBoundingClientRect().height + 8 }, "*");
}).observe(document.documentElement);

window.addEventListener("message", (event) => {
  if (event.source !== parent || !Array.isArray(event.data?.files)) return;
  main.dispatchEvent(new CustomEvent("dropped", { detail: event.data.files.filter((file) => file instanceof File) }));
});

start().catch((error) => fail(error.message));
