import { LIMIT, Verdict } from "./verdict.mjs";

let exports = null;
let view = null;

/// Makes the WebAssembly module ready, from its bytes or compiled; once in a realm.
export async function load(wasm) {
  const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
  exports = (await WebAssembly.instantiate(module, {})).exports;
  view = null;
}

/// The module's functions.
export const wasm = () => exports;

/// The module's memory; views are of no use once it has grown.
export function memory() {
  if (view?.buffer !== exports.memory.buffer) view = new Uint8Array(exports.memory.buffer);
  return view;
}

/// Bytes of the module's memory. Pointers come back signed.
export function allocate(size) {
  const at = exports.allocate(size) >>> 0;
  if (!at) throw new Verdict(LIMIT, `${size} bytes of memory are not available here`);
  return at;
}

export const release = (at) => exports.release(at);

/// Puts inputs one after another into the module's memory, with `extra` bytes after them, calls `use` with their places,
/// and leaves zeros.
export function borrow(inputs, extra, use) {
  const size = inputs.reduce((sum, input) => sum + input.length, 16 * (inputs.length + 1)) + extra;
  const start = allocate(size);
  try {
    const places = [];
    let at = start;
    for (const input of inputs) {
      memory().set(input, at);
      places.push(at);
      at += (input.length + 15) & ~15;
    }
    return use(...places, at);
  } finally {
    memory().fill(0, start, start + size);
    release(start);
  }
}

/// Zeros what calls have left on the stack, keys among it.
export function clearStack() {
  memory().fill(0, 0, exports.stack_end());
}

/// A copy of bytes of the module's memory.
export const copy = (at, length) => memory().slice(at, at + length);
