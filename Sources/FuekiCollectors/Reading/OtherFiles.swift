internal import FuekiSources
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

/// Files that ask for too much work, or whose reader failed: they are kept as they are, without being read, and reported.
struct UnreadFiles {
  /// The collector's kind.
  let kind: String
  /// The source's path.
  let path: String
  let request: CollectionRequest
  /// Why they are not read.
  var gap = WalletFinding.Gap.workLimit

  /// Whether a file is kept unread after a reader's error: a backup loses no file because of its size.
  static func takes(_ error: any Error, _ request: CollectionRequest) -> Bool {
    guard request.isForBackup else { return false }
    if error is WorkBudget.Exceeded { return true }
    if let error = error as? ForeignFileError, case .overLimit = error { return true }
    return false
  }

  /// Keeps a file.
  func keep(_ found: borrowing FoundFile, in records: inout ImportedRecords) throws {
    let nature = try FileNature(of: found)
    report(found, isInClear: nature.isSecret, in: &records)
    guard records.leaves(found.nameText, in: nature.isSecret ? .secretFiles : .files, request) else { return }
    let file = KeptFile(
      kind: kind, collector: "\(kind):\(path)", isSecret: nature.isSecret, format: nature.format)
    try records.stream(found, TakenFile(copy: nil), file, request)
  }

  /// Keeps every file of the source.
  func keepAll(_ reach: SourceReach) throws -> ImportedRecords {
    var records = ImportedRecords()
    let walk = FileWalk(path: path, targets: TargetFolders(request.targetFolders), isFlat: reach != .tree)
    try walk.forEach(into: &records) { found, records in try keep(found, in: &records) }
    return records
  }

  private func report(_ found: borrowing FoundFile, isInClear: Bool, in records: inout ImportedRecords) {
    records.findings.append(
      WalletFinding(kind: kind, name: found.nameText, .notProved(gap), isInClear: isInClear))
  }
}

/// Whether a file may be stored as public, judged by its beginning.
struct FileNature {
  /// The number of bytes inspected.
  private static let beginningByteCount = 64 << 10

  /// Whether it may contain an unencrypted secret.
  let isSecret: Bool
  /// The recognised format; possibly empty.
  let format: String

  /// Inspects an open file.
  init(of found: borrowing FoundFile) throws {
    let count = min(Int(clamping: found.status.size), Self.beginningByteCount)
    var beginning = try SecretBytes(count: count)
    let read = try beginning.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      try found.file.pread(into: &bytes, at: 0)
    }
    let name = found.name
    self = beginning.withBytes { FileNature($0.extracting(0..<read), name: name) }
  }

  /// Inspects a file's bytes, or its first ones.
  init(_ bytes: Span<UInt8>, name: [UInt8]) {
    let beginning = bytes.extracting(0..<min(bytes.count, Self.beginningByteCount))
    if let known = FileFormat.all.first(where: { $0.isPublic(beginning) }) {
      (isSecret, format) = (false, known.name)
      return
    }
    // A file with a known name is of that format, and may hold a secret.
    let last = String(decoding: name.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    (isSecret, format) = (true, FileFormat.all.first { $0.fileNames.contains(last) }?.name ?? "")
  }
}
