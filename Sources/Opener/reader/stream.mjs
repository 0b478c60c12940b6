import { ascii, concat, equal, integer, isZero, MIB, NONE, u64 } from "./bytes.mjs";
import { unpack } from "./blocks.mjs";
import { aeadOpen, expand } from "./crypto.mjs";
import { checkLengths, parseIndex, PIECE, SCOPES } from "./index.mjs";
import { CHUNK } from "./layout.mjs";
import { LIMIT, Lost, require } from "./verdict.mjs";

/// One scope's stream: its pieces, its index and its blocks.
export class Stream {
  constructor(file, layout, header, scope, prk, lost) {
    const keys = expand(prk, ["fueki/1 stream", Uint8Array.of(scope), header.T], 48);
    this.key = keys.subarray(0, 32);
    this.prefix = keys.subarray(32);
    this.methods = header.suite === 3 ? [1, 2] : [1];
    this.isDifferential = header.base !== null;
    this.file = file;
    this.scope = scope;
    this.count = layout.counts[scope - 1];
    this.length = this.count * PIECE;
    this.first = layout.counts.slice(0, scope - 1).reduce((sum, count) => sum + count, 0);
    this.start = 48 + layout.L + this.first * CHUNK;
    this.lost = lost;
    this.recent = { i: -1, plain: NONE };
  }

  /// Step 7, up to the sections' lengths. Throws `Lost` if a chunk that leads to the index is lost.
  async readIndex() {
    const name = SCOPES[this.scope];
    const end = (await this.read(this.length - PIECE, PIECE)).subarray(-8);
    require(equal(end.subarray(4), ascii("FKIX")), `no index in ${name}`);
    const size = integer(end.subarray(0, 4));
    require(size <= 16 * MIB, `the index of ${name} is over 16 MiB`, LIMIT);
    require(size <= this.length - 8, `the index of ${name} does not fit`);
    this.indexStart = this.length - 8 - size;
    this.sections = parseIndex(await this.read(this.indexStart, size), this.scope, this.isDifferential);
  }

  checkLengths() {
    this.blocksEnd = checkLengths(this);
  }

  /// Bytes of the plaintext. Throws `Lost` if one of their chunks is lost.
  async read(offset, length) {
    const [first, end] = [Math.floor(offset / PIECE), Math.ceil((offset + length) / PIECE)];
    const joined = new Uint8Array(Math.max(0, end - first) * PIECE);
    const from = first === this.recent.i ? first + 1 : first;
    let chunks = null;
    for (let i = first; i < end; i++) {
      let piece = this.recent.plain;
      if (i !== this.recent.i) {
        chunks ??= await this.file.at(this.start + from * CHUNK, (end - from) * CHUNK);
        piece = this.open(i, chunks.subarray((i - from) * CHUNK, (i - from + 1) * CHUNK));
        this.recent = { i, plain: piece };
      }
      joined.set(piece, (i - first) * PIECE);
    }
    return joined.subarray(offset - first * PIECE, offset - first * PIECE + length);
  }

  /// A chunk's piece.
  open(i, chunk) {
    if (this.lost?.has(this.first + i)) throw new Lost();
    const counter = BigInt(i) + (i === this.count - 1 ? 2n ** 63n : 0n);
    const plain = aeadOpen(this.key, concat(this.prefix, u64(counter)), chunk);
    if (!plain && this.lost === null) throw new Lost();
    require(plain, `chunk ${i} of ${SCOPES[this.scope]} does not open`);
    return plain;
  }

  /// Step 8 of one block: its plaintext, or null if it is lost.
  async block({ method, stored, plain, offset }) {
    try {
      return unpack(method, await this.read(offset, stored), plain);
    } catch (error) {
      if (error instanceof Lost) return null;
      throw error;
    }
  }

  /// Every block of the sections, or of one, with its plaintext.
  async *blocks(id) {
    for (const section of this.sections) {
      if (id !== undefined && section.id !== id) continue;
      for (const block of section.blocks) yield { section, block, data: await this.block(block) };
    }
  }

  /// Checks every chunk of the fill.
  async checkFill() {
    for (let i = Math.floor(this.blocksEnd / PIECE); i < this.count; i++) {
      const start = Math.max(this.blocksEnd - i * PIECE, 0);
      const end = Math.min(Math.max(this.indexStart - i * PIECE, 0), PIECE);
      try {
        const piece = await this.read(i * PIECE, PIECE);
        require(isZero(piece.subarray(start, end)), `${SCOPES[this.scope]}: fill that is not zero`);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
      }
    }
  }

  close() {
    for (const bytes of [this.key, this.prefix, this.recent.plain]) bytes.fill(0);
    this.recent = { i: -1, plain: NONE };
  }
}
