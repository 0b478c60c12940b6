internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiSystem
internal import FuekiWallet

/// Checks that records of files make complete files, with the code that restores them.
///
/// The records may come in any order and on any thread. A repeated part with the same bytes counts once.
final class FileAssembly: Sendable {
  private let files = Locked<[OriginalFile.Key: FileParts]>([:])
  private let digests = SecretDigests()

  /// Adds a record of a section; records of other sections than those of files have no effect.
  func note(_ message: Span<UInt8>, of section: Section) {
    guard section.kind.traits.contains(.inParts), let part = PartHeader(message) else { return }
    let content = message.extracting(part.content)
    let digest = digests.digest(of: content)
    let key = OriginalFile.Key(section: section, id: part.id, source: part.source, path: part.path)
    files.withLock { files in
      var file = files.removeValue(forKey: key) ?? FileParts(total: part.total)
      _ = file.add(digest, count: content.count, at: part.offset, total: part.total)
      files[key] = file
    }
  }

  /// Adds framed records of a section.
  func note(framed records: Span<UInt8>, of section: Section) {
    guard section.kind.traits.contains(.inParts) else { return }
    try? RecordFraming.forEachRecord(in: records) { (message) throws(WireError) in note(message, of: section)
    }
  }

  /// Checks that each file is complete, except those with some ids.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` with the lowest section of an incomplete file.
  func check(besides ids: Set<[UInt8]> = []) throws {
    let broken = files.withLock { files in
      files.filter { !$0.value.areWhole && !ids.contains($0.key.id) }.map(\.key.section).min()
    }
    if let broken { throw ArchiveError.forged(.records(section: broken.rawValue)) }
  }
}

/// The fields of a file's part that tell where it belongs.
private struct PartHeader {
  var id: [UInt8] = []
  var source = ""
  var path: [UInt8] = []
  var offset: UInt64 = 0
  var total: UInt64 = 0
  var content = 0..<0

  /// Reads a record of ``Section/files`` or ``Section/secretFiles``, whose fields have the same numbers; nil if the bytes
  /// are no such record, which others report.
  init?(_ message: Span<UInt8>) {
    var reader = WireReader()
    do throws(WireError) {
      while let field = try reader.next(in: message) {
        switch (field.number, field.value) {
        case (1, .content): id = try field.bytes(in: message)
        case (2, .content): source = try field.text(in: message)
        case (3, .content): path = try field.bytes(in: message)
        case (4, .varint(let value)): offset = value
        case (5, .varint(let value)): total = value
        case (6, .content(let range)): content = range
        default: break
        }
      }
    } catch {
      return nil
    }
  }
}
