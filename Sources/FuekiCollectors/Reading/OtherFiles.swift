internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Files at a source's path that its kind does not recognise.
///
/// Each may be a wallet in a state that nobody thought of, and is kept as it is: as a secret, unless it is known to be
/// public. Only in a program's whole data directory they are blocks, caches and settings, which are counted.
struct OtherFiles {
  private let asked: Asked
  private let isDataFolder: Bool
  private var count = 0

  init(_ asked: Asked) {
    self.asked = asked
    isDataFolder = asked.isFolder && ProgramFolders.include(asked.path)
  }

  /// Returns how a file is kept: unsound if its name or its beginning says that it is of the kind; nil if it is only
  /// counted.
  mutating func kept(_ found: borrowing FoundFile, _ reason: String) throws -> Kept? {
    let nature = try FileNature(of: found)
    var kept = Kept(format: nature.format)
    (kept.isSecret, kept.sharesAreAll) = (nature.isSecret, false)
    if found.passedOver == nil, Self.isMeant(found, asked.kind) {
      kept.findings = [asked.finding(found.nameText, .faulty(.malformed))]
      kept.problems = [reason]
      return kept
    }
    guard !isDataFolder || ProgramFolders.haveWallet(at: found.path, of: asked.kind) else {
      count += 1
      return nil
    }
    (kept.isOfKind, kept.problems) = (false, [reason])
    return kept
  }

  func report(_ records: inout ImportedRecords) {
    guard count > 0 else { return }
    records.exclude(
      count == 1 ? "1 other file" : "\(count) other files",
      "blocks, caches and settings of a program, in whose folder only its wallets are taken", loss: .none)
  }

  /// Whether a file's name or beginning says that it is a wallet of a kind, or the user says it.
  static func isMeant(_ found: borrowing FoundFile, _ kind: CollectorKind) -> Bool {
    let name = FileName.text(found.lastName)
    if found.isNamed || kind.fileNames.isWallet(name) { return true }
    guard let beginning = try? found.secretBeginning(beginningByteCount) else { return false }
    let isLikely = beginning.withBytes { bytes in
      if kind.recognises(bytes) { return true }
      // Editors and shells write the same text with a mark, or in UTF-16.
      guard bytes.count > 2, bytes[0] >= 0xEF, let text = try? TextLines.text(bytes.copied()) else {
        return false
      }
      return kind.recognises(text.span)
    }
    guard !isLikely, kind.fileNames.mayBeWallet(name) else { return isLikely }
    return beginning.withBytes { isBrokenDocument($0, isWhole: found.byteCount == UInt64(beginning.count)) }
  }

  private static let beginningByteCount = 256 << 10

  /// Whether a text begins as a JSON object, and is none.
  private static func isBrokenDocument(_ bytes: Span<UInt8>, isWhole: Bool) -> Bool {
    guard isWhole, bytes.firstVisible == UInt8(ascii: "{") else { return false }
    return (try? JSONOutline(bytes, limit: bytes.count)) == nil
  }
}
