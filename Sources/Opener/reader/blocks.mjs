import { Cursor, equal, MIB } from "./bytes.mjs";
import { fromColumns } from "./columns.mjs";
import { unzstd } from "./crypto.mjs";
import { FORGED, LIMIT, require } from "./verdict.mjs";

const FRAME = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);

/// A block's plaintext, which has `plain` bytes.
export function unpack(method, stored, plain) {
  if (method === 0) return stored;
  if (method === 1) return inflate(stored, plain, plain);
  return fromColumns(inflate(stored, 0, Math.min(2 * plain, plain + 65536)), plain);
}

/// The content of a zstd frame, whose header is checked first.
function inflate(frame, least, most) {
  const cursor = new Cursor(frame, "a zstd block");
  require(equal(cursor.bytes(4), FRAME), "a block is not a zstd frame");
  const descriptor = cursor.byte();
  const isSingle = (descriptor >> 5) & 1;
  require(!(descriptor & 7), "a zstd block with a checksum or a dictionary");
  if (!isSingle) {
    const w = cursor.byte();
    require((8 + (w % 8)) * 2 ** (7 + Math.floor(w / 8)) <= 8 * MIB, "a zstd block's window", LIMIT);
  }
  const width = [isSingle, 2, 4, 8][descriptor >> 6];
  require(width, "a zstd block without its content size");
  let size = cursor.number(width);
  if (width === 2) size += 256;
  require(!isSingle || size <= 16 * MIB, "a zstd block's content, which is its window", LIMIT);
  require(size <= most, "a zstd block's content size", least === most ? FORGED : LIMIT);
  require(size >= least, "a zstd block's content size");
  const data = unzstd(frame, size);
  require(data, "a zstd block");
  return data;
}
