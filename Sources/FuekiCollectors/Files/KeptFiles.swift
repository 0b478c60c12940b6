internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The files of a kind that keeps each as it is, however long, and looks at what it says.
struct KeptFiles {
  /// How a file that was looked at is kept.
  struct Keeping {
    /// Whether it may hold a secret in the clear.
    var isSecret: Bool
    let format: String
    /// Whose file it is; nil where only its place can tell.
    var program: String?
    var hazards: [String] = []
  }

  /// Looks at a file, and adds what it says; nil where it is none of the kind's, which it then says.
  typealias Look =
    (_ found: borrowing FoundFile, _ whole: CopiedFile, _ records: inout ImportedRecords) throws -> Keeping?

  /// How much of a file in a folder tells whether it is one of the kind's.
  private static let beginningByteCount = 64 << 10

  let path: String
  /// The collector's kind.
  let kind: String
  /// What copies a file that its program may be writing.
  let copying: FileCopying?
  /// Whether a file in a folder may be one of the kind's; one that somebody named is looked at whatever it is.
  let recognises: (_ beginning: Span<UInt8>, _ name: [UInt8]) -> Bool

  private var source: String { "\(kind):\(path)" }

  /// Looks at the files, each of which is read part by part when it is written.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - more: parts of files that lie nowhere.
  ///   - look: looks at each file.
  /// - Returns: what the files say, and the files.
  /// - Throws: ``ForeignFileError``, or what the system refuses.
  func read(
    _ request: CollectionRequest, beside more: [SecretFilePart] = [], _ look: Look
  ) throws -> ImportedRecords {
    var records = ImportedRecords()
    try forEach(into: &records, request, look) { found, taken, keeping, records in
      let name = FileName.text(found.name)
      let section = keeping.isSecret ? Section.secretFiles : .files
      guard records.leaves(name, in: section, request, "holds") else { return }
      let nature = FileNature(isSecret: keeping.isSecret, format: keeping.format)
      try records.stream(
        found, taken, nature, source: kind, program: keeping.program, hazards: keeping.hazards, from: source,
        request)
    }
    records.secretFiles += more
    records.keepOnly(request)
    return records
  }

  private func forEach(
    into records: inout ImportedRecords, _ request: CollectionRequest, _ look: Look,
    _ keep: (borrowing FoundFile, TakenFile, Keeping, inout ImportedRecords) throws -> Void
  ) throws {
    let isFolder = (try? Directory.open(path)) != nil
    var keptCount = 0
    try FileWalk(path: path, destroyed: DestroyedFiles(kind: kind, request: request)).forEach(into: &records)
    {
      found, records in
      if isFolder {
        let beginning = try Self.beginning(of: found)
        let bytes = found.name
        let isNamed = request.isForBackup && WalletNames.isWallet(PathParts(found.nameText).name, of: kind)
        guard isNamed || beginning.withBytes({ recognises($0, bytes) }) else {
          return records.exclude(FileName.text(found.name), "it is none of this kind", loss: .none)
        }
      }
      guard let taken = records.taking(found, by: copying) else { return }
      let whole = try taken.copy ?? CopiedFile(File.openRegular(found.path))
      records.budget.read(Int(clamping: whole.byteCount))
      guard let keeping = try self.look(at: found, taken, whole, &records, request, look)
      else { return }
      try records.checkLimits()
      keptCount += 1
      try keep(found, taken, keeping, &records)
    }
    if keptCount == 0 { try records.foundNothing(at: path, "no file of the kind \(kind) is there") }
  }

  /// How a file is kept: a damaged database has a fault, whatever can be read of it.
  private func look(
    at found: borrowing FoundFile, _ taken: TakenFile, _ whole: CopiedFile, _ records: inout ImportedRecords,
    _ request: CollectionRequest, _ look: Look
  ) throws -> Keeping? {
    let count = records.findings.count
    let keeping: Keeping?
    do {
      keeping = try look(found, whole, &records)
    } catch  where UnreadFiles.takes(error, request) {
      records.findings.removeSubrange(count...)
      records.findings.append(
        WalletFinding(
          kind: kind, name: FileName.text(found.name), .notProved(.workLimit), isInClear: true))
      return Keeping(isSecret: true, format: "")
    }
    if taken.isDamaged, !records.findings.dropFirst(count).contains(where: \.isFaulty) {
      records.findings.append(
        WalletFinding(
          kind: kind, name: FileName.text(found.name), .faulty(.malformed),
          isInClear: keeping?.isSecret ?? true))
    }
    return keeping
  }

  private static func beginning(of found: borrowing FoundFile) throws -> SecretBytes {
    let count = min(Int(clamping: found.status.size), beginningByteCount)
    var beginning = try SecretBytes(count: count)
    let read = try beginning.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      try found.file.pread(into: &bytes, at: 0)
    }
    return read == count ? beginning : try beginning.copy(0..<read)
  }
}

extension CopiedFile {
  /// All bytes, where they are no more than a limit; nil where they are, or are not there any more.
  func bytes(limit: Int) throws -> SecretBytes? {
    guard byteCount <= UInt64(limit) else { return nil }
    var bytes = try SecretBytes(count: Int(byteCount))
    let read = try bytes.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      try file.pread(into: &bytes, at: 0)
    }
    guard read == bytes.count else { return nil }
    return bytes
  }
}
