internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Keeps all files of a kind unchanged, whatever their length, and inspects their contents.
struct KeptFiles {
  /// How to keep an inspected file.
  struct Keeping {
    /// Whether it may contain an unencrypted secret.
    var isSecret: Bool
    let format: String
    /// The file's program; nil to derive it from the place.
    var program: String?
    var hazards: [String] = []
  }

  /// Inspects a file and adds its contents; nil if it is of another kind, which the closure reports.
  typealias Look =
    (_ found: borrowing FoundFile, _ whole: CopiedFile, _ records: inout ImportedRecords) throws -> Keeping?

  /// The number of bytes that identify a file of the kind in a directory.
  private static let beginningByteCount = 64 << 10

  let source: KindSource
  /// Whether a file in a directory may be of the kind.
  ///
  /// A file named by the user is always inspected.
  let recognises: (_ beginning: Span<UInt8>, _ name: [UInt8]) -> Bool

  init(
    _ source: KindSource, recognises: @escaping (_ beginning: Span<UInt8>, _ name: [UInt8]) -> Bool
  ) {
    (self.source, self.recognises) = (source, recognises)
  }

  private var kind: String { source.kind.name }

  /// Inspects the files.
  ///
  /// Each is read in parts when it is written to the archive.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - look: inspects each file.
  /// - Returns: the contents of the files, and the files.
  /// - Throws: ``ForeignFileError``, or errors of the system.
  func read(_ request: CollectionRequest, _ look: Look) throws -> ImportedRecords {
    var records = ImportedRecords()
    try forEach(into: &records, request, look) { found, taken, keeping, records in
      let name = FileName.text(found.name)
      let section = keeping.isSecret ? Section.secretFiles : .files
      guard records.leaves(name, in: section, request, "holds") else { return }
      let nature = FileNature(isSecret: keeping.isSecret, format: keeping.format)
      try records.stream(
        found, taken, nature, source: kind, program: keeping.program, hazards: keeping.hazards,
        from: source.name,
        request)
    }
    records.keepOnly(request)
    return records
  }

  private func forEach(
    into records: inout ImportedRecords, _ request: CollectionRequest, _ look: Look,
    _ keep: (borrowing FoundFile, TakenFile, Keeping, inout ImportedRecords) throws -> Void
  ) throws {
    let isFolder = source.isFolder
    var keptCount = 0
    try source.walk(request).forEach(into: &records) { found, records in
      if isFolder {
        let beginning = try Self.beginning(of: found)
        let bytes = found.name
        let isNamed = request.isForBackup && source.kind.fileNames.isWallet(PathParts(found.nameText).name)
        guard isNamed || beginning.withBytes({ recognises($0, bytes) }) else {
          return records.exclude(FileName.text(found.name), "it is none of this kind", loss: .none)
        }
      }
      guard let taken = records.taking(found, by: source.copying) else { return }
      let whole = try taken.copy ?? CopiedFile(File.openRegular(found.path))
      records.budget.read(Int(clamping: whole.byteCount))
      guard let keeping = try self.look(at: found, taken, whole, &records, request, look)
      else { return }
      try records.checkLimits()
      keptCount += 1
      try keep(found, taken, keeping, &records)
    }
    if keptCount == 0 { try records.foundNothing(at: source.path, "no file of the kind \(kind) is there") }
  }

  /// Decides how to keep a file.
  ///
  /// A damaged database has a fault, even if some of it can be read.
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
  /// Returns all bytes up to a limit; nil if there are more, or the file became shorter.
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
