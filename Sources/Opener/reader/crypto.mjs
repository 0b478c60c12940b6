import { ascii, concat, NONE } from "./bytes.mjs";
import { allocate, borrow, clearStack, copy, memory, release, wasm } from "./module.mjs";
import { LIMIT, require } from "./verdict.mjs";

/// SHA-256 of the parts one after another.
export function H(...parts) {
  const input = parts.length === 1 ? parts[0] : concat(...parts);
  return borrow([input], 32, (bytes, digest) => {
    wasm().sha256(digest, bytes, input.length);
    return copy(digest, 32);
  });
}

/// SHA-256 of bytes that come in parts. It holds memory until `end`.
export class Hash {
  constructor() {
    this.state = allocate(wasm().sha256_size());
    wasm().sha256_begin(this.state);
  }

  add(bytes) {
    borrow([bytes], 0, (at) => wasm().sha256_add(this.state, at, bytes.length));
    return this;
  }

  end() {
    return borrow([], 32, (digest) => {
      wasm().sha256_end(this.state, digest);
      memory().fill(0, this.state, this.state + wasm().sha256_size());
      release(this.state);
      return copy(digest, 32);
    });
  }
}

/// The leaves of whole chunks that follow one another, from chunk j of the file.
export function leavesOf(chunks, count, j) {
  return borrow([chunks], 32 * count, (bytes, leaves) => {
    wasm().leaves(leaves, bytes, count, j);
    return copy(leaves, 32 * count);
  });
}

export function hmac(key, bytes) {
  return borrow([key, bytes], 32, (keyAt, at, tag) => {
    wasm().hmac(tag, keyAt, key.length, at, bytes.length);
    return copy(tag, 32);
  });
}

export const extract = (salt, ikm) => hmac(salt, ikm);

/// Expand of HKDF. The info may be given in parts, texts among them.
export function expand(prk, parts, count) {
  const info = concat(...parts.map((part) => (typeof part === "string" ? ascii(part) : part)));
  const output = [];
  let block = NONE;
  for (let i = 1; output.length * 32 < count; i++) {
    block = hmac(prk, concat(block, info, Uint8Array.of(i)));
    output.push(block);
  }
  return concat(...output).slice(0, count);
}

/// The first 32 bytes of PBKDF2-HMAC-SHA256.
export function pbkdf2(password, salt, passes) {
  const numbered = concat(salt, Uint8Array.of(0, 0, 0, 1));
  return borrow([password, numbered], 32, (passwordAt, saltAt, key) => {
    wasm().pbkdf2(key, passwordAt, password.length, saltAt, numbered.length, passes);
    return copy(key, 32);
  });
}

/// The plaintext, or null if the tag does not hold.
export function aeadOpen(key, nonce, sealed, additional = NONE) {
  if (sealed.length < 16) return null;
  const size = sealed.length - 16;
  return borrow([key, nonce, additional, sealed], size, (keyAt, nonceAt, additionalAt, sealedAt, plain) => {
    const failed = wasm().aead_open(plain, sealedAt, sealed.length, additionalAt, additional.length, nonceAt, keyAt);
    return failed ? null : copy(plain, size);
  });
}

/// The X25519 product, or null if it is zero.
export function x25519(scalar, point) {
  return borrow([scalar, point], 32, (scalarAt, pointAt, product) =>
    wasm().x25519(product, scalarAt, pointAt) ? null : copy(product, 32),
  );
}

export function x25519Base(scalar) {
  return borrow([scalar], 32, (scalarAt, point) => {
    wasm().x25519_base(point, scalarAt);
    return copy(point, 32);
  });
}

export function isSigned(signature, message, key) {
  return borrow([signature, message, key], 0, (signatureAt, at, keyAt) =>
    wasm().ed25519_verify(signatureAt, at, message.length, keyAt) === 0,
  );
}

export function keccak256(bytes) {
  return borrow([bytes], 32, (at, digest) => {
    wasm().keccak256(digest, at, bytes.length);
    return copy(digest, 32);
  });
}

/// X-Wing's secret and the seed's public key, or null if the X25519 product is zero.
export function xwing(seed, sealed) {
  return borrow([seed, sealed], 1248, (seedAt, sealedAt, secret) =>
    wasm().xwing(secret, secret + 32, seedAt, sealedAt)
      ? null
      : { secret: copy(secret, 32), publicKey: copy(secret + 32, 1216) },
  );
}

/// Argon2id in this realm. WebAssembly's memory never shrinks: a page calls this in a worker that it ends afterwards.
export async function deriveHere({ passphrase, salt, memory: size, passes }) {
  require(size <= 2 * 2 ** 20, "a key derivation of more than 2 GiB", LIMIT);
  return borrow([passphrase, salt], 32, (passphraseAt, saltAt, key) => {
    const failed = wasm().argon2id(key, passphraseAt, passphrase.length, saltAt, size, passes);
    clearStack();
    require(failed === 0, `${size} KiB of memory for the key derivation are not available here`, LIMIT);
    return copy(key, 32);
  });
}

/// The content of a zstd frame, or null if it does not have exactly `size` bytes.
export function unzstd(frame, size) {
  return borrow([frame], size, (at, plain) => (wasm().unzstd(plain, size, at, frame.length) ? null : copy(plain, size)));
}
