import { NONE } from "./bytes.mjs";
import { INCOMPLETE, require } from "./verdict.mjs";

/// Bytes in memory.
export class BytesSource {
  constructor(bytes) {
    this.bytes = bytes;
    this.length = bytes.length;
  }

  async read(offset, length) {
    return this.bytes.subarray(offset, offset + length);
  }
}

/// A Blob or a File of a browser.
export class BlobSource {
  constructor(blob) {
    this.blob = blob;
    this.length = blob.size;
  }

  async read(offset, length) {
    return new Uint8Array(await this.blob.slice(offset, offset + length).arrayBuffer());
  }
}

/// A source that reads small pieces from one window of it.
export class WindowedSource {
  static SIZE = 2 ** 20;

  constructor(source) {
    this.source = source;
    this.length = source.length;
    this.start = 0;
    this.window = NONE;
  }

  /// The bytes of a range, as far as the file has them; none if the offset is outside the file.
  async at(offset, length) {
    if (offset < 0 || offset >= this.length) return NONE;
    length = Math.min(length, this.length - offset);
    if (!this.holds(offset, length)) {
      const start = Math.floor(offset / WindowedSource.SIZE) * WindowedSource.SIZE;
      if (offset + length > start + WindowedSource.SIZE) return this.whole(offset, length);
      this.window = await this.whole(start, Math.min(WindowedSource.SIZE, this.length - start));
      this.start = start;
    }
    return this.window.subarray(offset - this.start, offset - this.start + length);
  }

  /// A range of the file, which may have become shorter.
  async whole(offset, length) {
    const bytes = await this.source.read(offset, length);
    require(bytes.length === length, "the file became shorter while it was read", INCOMPLETE);
    return bytes;
  }

  holds(offset, length) {
    return offset >= this.start && offset + length <= this.start + this.window.length;
  }
}
