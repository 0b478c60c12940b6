import { equal, hex } from "./bytes.mjs";
import { H } from "./crypto.mjs";
import { decode } from "./decode.mjs";
import { records } from "./records.mjs";
import { FORGED, require, Verdict } from "./verdict.mjs";

const SECTIONS = [8, 66];
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/// The messages of the block that was read last: small files that follow one another are in the same one.
class RecentBlock {
  block = null;
  messages = null;

  async messagesOf(stream, block) {
    if (this.block !== block) {
      const data = await stream.block(block);
      this.messages = data && [...records(data)];
      this.block = block;
    }
    return this.messages;
  }
}

/// An original file of a wallet, in parts.
export class OriginalFile {
  constructor(stream, section, part, recent) {
    const { id, source, path, total, mode, format, program } = part;
    Object.assign(this, { id: hex(id), section, source, path, total, mode, format, program });
    this.name = lenient.decode(path);
    this.place = part.place;
    this.modifiedAt = part.modified_at;
    this.programVersion = part.program_version;
    this.isSecret = section === 66;
    this.stream = stream;
    this.recent = recent;
    this.parts = [];
    this.hasConflict = false;
  }

  /// Records where a part is. An archive of version 0.2.0 may have one twice.
  add(part, block, index) {
    const { offset, total, content } = part;
    const added = { offset, length: content.length, digest: H(content), block, index };
    this.byOffset ??= new Map();
    const same = this.byOffset.get(offset);
    if (total !== this.total || (same && !(same.length === added.length && equal(same.digest, added.digest)))) {
      this.hasConflict = true;
    }
    if (!same) {
      this.byOffset.set(offset, added);
      this.parts.push(added);
    }
    this.place ??= part.place;
  }

  /// Decides whether the parts follow one another from 0 to the total.
  settle() {
    this.parts.sort((a, b) => (a.offset < b.offset ? -1 : a.offset > b.offset ? 1 : 0));
    let end = 0;
    const follow = this.parts.every(({ offset, length }) => {
      const isNext = offset === end;
      end += length;
      return isNext;
    });
    this.complete = follow && end === this.total && !this.hasConflict;
  }

  /// The file's bytes in order.
  async *chunks() {
    require(this.complete, `a file of section ${this.section} is not whole`);
    for (const { block, index } of this.parts) {
      const messages = await this.recent.messagesOf(this.stream, block);
      require(messages, `a file of section ${this.section} is not whole`);
      yield decode(this.section, messages[index]).content;
    }
  }
}

/// The original files of sections 8 and 66; a salvage includes incomplete files.
export async function filesOf(streams, salvage) {
  const files = new Map();
  const recent = new RecentBlock();
  for (const stream of streams.values()) {
    for (const section of SECTIONS) {
      for await (const { block, data } of stream.blocks(section)) {
        let index = 0;
        for (const message of data ? records(data) : []) {
          const part = decode(section, message);
          const key = JSON.stringify([section, hex(part.id), part.source, hex(part.path)]);
          if (!files.has(key)) files.set(key, new OriginalFile(stream, section, part, recent));
          files.get(key).add(part, block, index++);
        }
      }
    }
  }
  for (const file of files.values()) file.settle();
  const broken = [...files.values()].find(({ complete }) => !complete);
  if (broken && !salvage) throw new Verdict(FORGED, `a file of section ${broken.section} is not whole`);
  return [...files.values()];
}
