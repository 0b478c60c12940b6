internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// An open regular file of a source.
struct FoundFile: ~Copyable {
  private static let noData: Int32 = 61

  let file: File
  /// The name relative to the source's directory, as the file system's bytes.
  let name: [UInt8]
  let status: FileStatus
  /// The path used for opening, as the file system's bytes.
  let path: [UInt8]
  /// Whether the user named the file itself, and not its directory.
  var isNamed = false
  /// Why programs do not look at the file; nil if they do.
  var passedOver: String?
  /// The place for putting it back, if different.
  var place: [UInt8]?
  /// A consistent copy, if its program may be writing it.
  var copy: CopiedFile?

  init(
    file: consuming File, name: [UInt8], status: FileStatus, path: [UInt8], isNamed: Bool = false,
    place: [UInt8]? = nil
  ) {
    (self.name, self.status, self.path, self.isNamed, self.place) = (name, status, path, isNamed, place)
    self.file = file
  }

  /// The place for putting it back.
  var placePath: [UInt8] { place ?? path }

  /// The path with links resolved: a database's parts are next to the real file.
  var realPath: [UInt8] { CurrentProcess.absolutePath(of: PathText.text(path)).pathBytes }

  /// The file's name for people, with the directories below the source.
  var nameText: String { FileName.text(name) }

  /// The last component of its name.
  var lastName: [UInt8] { name.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? [] }

  /// The length of what is read.
  var byteCount: UInt64 { copy?.byteCount ?? status.size }

  /// Returns up to `count` first bytes.
  func beginning(_ count: Int) -> [UInt8] { copy?.file.beginning(count) ?? file.beginning(count) }

  /// Returns up to `count` first bytes, which may be secret.
  func secretBeginning(_ count: Int) throws -> SecretBytes { try read(min(Int(clamping: byteCount), count)) }

  /// Returns the whole content, in protected memory.
  ///
  /// - Throws: errors of the system, also if the file became shorter.
  func bytes() throws -> SecretBytes {
    let count = Int(clamping: byteCount)
    let bytes = try read(count)
    guard bytes.count == count else { throw SystemError(code: Self.noData, call: "pread", path: file.path) }
    return bytes
  }

  /// Returns the whole content of a file without secrets.
  func publicBytes() throws -> [UInt8] { try bytes().withBytes { $0.copied() } }

  /// Returns the file for readers that go to and fro in it.
  func whole() throws -> CopiedFile { try copy ?? CopiedFile(File.openRegular(path)) }

  private func read(_ count: Int) throws -> SecretBytes {
    var bytes = try SecretBytes(count: count)
    let read = try bytes.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      if let copy { return try copy.file.pread(into: &bytes, at: 0) }
      return try file.pread(into: &bytes, at: 0)
    }
    return read == count ? bytes : try bytes.copy(0..<read)
  }

  /// Why an archive cannot contain the file; nil if it can.
  ///
  /// A sparse file of a few kilobytes can be terabytes long, and an archive stores its holes as zeros.
  var sparseReason: String? {
    guard status.size > BackupLimits.holeByteCount else { return nil }
    let holes = file.holeByteCount()
    guard holes > BackupLimits.holeByteCount else { return nil }
    return "it has holes of \(holes) bytes, which an archive would hold as zeros, and at most "
      + "\(BackupLimits.holeByteCount >> 30) GiB of them are backed up: have its program write it again"
  }

  /// Returns the file's original place and program.
  func origin(program: String?) -> FileOrigin { FileOrigin(path: placePath, program: program) }
}

extension File {
  /// Returns up to `count` first bytes.
  borrowing func beginning(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = (try? pread(into: &bytes, at: 0)) ?? 0
    return Array(bytes.prefix(read))
  }
}

/// What a kind makes of one file.
enum Look {
  /// A wallet of the kind, sound or not.
  case wallet(Kept)
  /// Something else, or nothing that can be read: why, as a sentence.
  ///
  /// In a backup it is kept all the same.
  case other(reason: String)
  /// A file that must not come back, such as an old database of channels: why, as a sentence.
  case withheld(reason: String)
}

/// What a file holds, and how it is kept.
struct Kept {
  /// The name of its format; empty if unknown.
  var format: String
  /// Whether it may contain an unencrypted secret.
  var isSecret = true
  /// The file's program; nil to derive it from the place.
  var program: String?
  var hazards: [WalletHazard] = []
  /// The address and the key derivation that a public file states.
  var (address, kdf) = ("", "")
  /// The records read from it, with findings of their own.
  var records = ImportedRecords()
  /// The wallets that it shows, of which earlier files may have shown some.
  var wallets: [Wallet] = []
  var shares: [FoundShare] = []
  /// Whether every secret in the file is one of its shares.
  var sharesAreAll = true
  /// The findings on what is as secret as the file.
  var findings: [WalletFinding] = []
  /// Problems in words, in addition to findings.
  var problems: [String] = []
  /// What only the comparison with the source's other files needs.
  var other: (any Sendable)?

  /// The file's name for people.
  var name = ""
  /// Whether it is a wallet, and not only a file that belongs to one.
  var isWallet = true
  /// Whether the kind recognised it.
  var isOfKind = true
  /// Whether it has lost its content.
  var isDestroyed = false
  /// Whether it "holds" or "may hold" secrets in the clear, if the archive does not have it.
  var leftOut: String?
  /// Its id, if the archive has it.
  var id: [UInt8]?

  /// Whether the archive has it.
  var isIn: Bool { id != nil }

  /// The section of the file itself.
  var section: Section { isSecret ? .secretFiles : .files }

  /// Whether the file itself was requested.
  func leaves(_ request: CollectionRequest) -> Bool {
    request.selection.contains(section) && (!isSecret || request.includesPrivateKeys)
  }

  init(format: String) { self.format = format }

  /// A file with a single finding.
  init(format: String, isSecret: Bool, _ finding: WalletFinding) {
    (self.format, self.isSecret, findings, sharesAreAll) = (format, isSecret, [finding], false)
  }

  /// A public file that is read whole, whose wallets are judged by their records.
  init(_ records: ImportedRecords, format: String, program: String? = nil, _ asked: Asked) throws {
    (self.format, isSecret, self.program) = (format, false, program)
    self.records = records
    guard asked.request.isForBackup, records.findings.isEmpty else { return }
    var judge = RecordFindings(kind: asked.kind.name)
    (judge.isOneFile, judge.isOpened) = (true, true)
    self.records.findings = try judge.all(of: records.wallets, keys: records.privateKeys)
  }

  /// A file whose own password is missing or wrong: it is kept, and `import` reads it.
  init(unopened asked: Asked, _ gap: WalletFinding.Gap, format: String, program: String) {
    (self.format, isSecret, self.program) = (format, false, program)
    let name = FileName.text(asked.path.pathBytes)
    findings = [WalletFinding(kind: asked.kind.name, name: name, .notProved(gap))]
    let isKept = asked.request.selection.contains(.files)
    records.exclude(
      name,
      "\(gap == .wrongPassword ? "the given passphrase does not open it" : "it is encrypted"); \(isKept ? "the file is kept as it is" : "the file is left out"), and import reads it with its passphrase",
      loss: isKept ? .none : .requested)
  }
}

/// What a kind may ask for while it looks at the files of a source.
struct Asked {
  let kind: CollectorKind
  /// The user's path.
  let path: String
  let isFolder: Bool
  let request: CollectionRequest
  /// The source's password.
  let password: AskedPassword
  /// Whether there is one to ask for.
  let hasPassword: Bool

  init(_ source: KindSource, _ request: CollectionRequest) {
    (kind, path, isFolder, self.request) = (source.kind, source.path, source.isFolder, request)
    password = AskedPassword(source.passphrase, work: request.work)
    hasPassword = source.passphrase != nil
  }

  var work: WorkBudget { request.work }

  /// The password for proofs, which are only made for backups.
  var proofPassword: AskedPassword {
    request.isForBackup ? password : AskedPassword(nil, work: request.work)
  }

  /// Returns a finding of the kind.
  func finding(
    _ name: String, _ result: WalletFinding.Result, detail: String = "", isInClear: Bool = false
  ) -> WalletFinding {
    WalletFinding(kind: kind.name, name: name, result, detail: detail, isInClear: isInClear)
  }
}

extension Look {
  /// What a file holds; nil for a file of another kind.
  init(_ kept: Kept?, or asked: Asked) {
    self = kept.map { .wallet($0) } ?? .other(reason: "it is no \(asked.kind.what)")
  }
}
