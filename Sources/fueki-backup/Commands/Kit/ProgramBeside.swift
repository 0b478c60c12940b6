internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A program next to archives, in a folder of its own, as put there by `kit bundle`.
struct ProgramBeside {
  /// The name of the program's file.
  static let name = "fueki-restore"
  /// The name of the page that opens archives in a browser.
  static let page = "open.html"
  static let list = "SHA256SUMS"
  static let signature = "SHA256SUMS.minisig"

  /// The fault in it.
  enum Fault: String {
    case missing = "its program is missing or cannot be read"
    case changed = "its files are not those that its SHA256SUMS lists"
  }

  let folder: String
  let version: String
  /// The digest of the program as it is now; nil if unreadable.
  let digest: Digest?
  /// The digest of the page for browsers as it is now; nil without one.
  let pageDigest: Digest?
  let fault: Fault?
  private let listBytes: [UInt8]
  private let signatureText: String?

  /// The folder's name, below the archives' folder.
  var folderName: String { Self.folderName(version) }

  static func folderName(_ version: String) -> String { "\(name)-\(version)" }

  /// Returns all programs in a folder, the newest version first.
  static func all(in target: Target) -> [ProgramBeside] {
    folders(in: target).map { ProgramBeside($0.path, $0.version) }
      .sorted { Self.numbers($0.version).lexicographicallyPrecedes(Self.numbers($1.version)) }.reversed()
  }

  /// Returns the folders for programs in a folder, without reading them.
  static func folders(in target: Target) -> [(path: String, version: String)] {
    guard target.kind != .rclone, let entries = try? Directory.open(target.path).list() else { return [] }
    return entries.compactMap { entry in
      guard entry.kind == .directory, let folder = entry.text,
        let match = folder.wholeMatch(of: #/fueki-restore-(\d+\.\d+\.\d+)/#)
      else { return nil }
      return ("\(target.path)/\(folder)", String(match.1))
    }
  }

  private static func numbers(_ version: String) -> [UInt64] {
    version.split(separator: ".").map { UInt64($0) ?? .max }
  }

  init(_ folder: String, _ version: String) {
    self.folder = folder
    self.version = version
    let bytes = Self.read("\(folder)/\(Self.name)")
    digest = bytes.map { SHA256.hash($0) }
    pageDigest = Self.read("\(folder)/\(Self.page)").map { SHA256.hash($0) }
    listBytes = Self.read("\(folder)/\(Self.list)") ?? []
    signatureText = Self.read("\(folder)/\(Self.signature)").map { String(decoding: $0, as: UTF8.self) }
    let stated = Self.stated(listBytes)
    if digest == nil {
      fault = .missing
    } else {
      let isWhole = stated.allSatisfy { name, digest in
        Self.read("\(folder)/\(name)").map { SHA256.hash($0) } == digest
      }
      fault = isWhole && stated[Self.name] == digest && stated[Self.page] == pageDigest ? nil : .changed
    }
  }

  /// Whether it has a signature, by any signer.
  var isSigned: Bool { signatureText != nil }

  /// Whether the list of digests is this one.
  func hasList(_ list: [UInt8]) -> Bool { listBytes == list }

  /// Returns the one of these keys that signed the folder's list.
  func signer(among keys: Set<Ed25519.PublicKey>) -> Ed25519.PublicKey? {
    signatureText.flatMap { FileSignature.signer(of: $0, over: listBytes, among: keys) }
  }

  private static func stated(_ list: [UInt8]) -> [String: Digest] {
    var stated: [String: Digest] = [:]
    for line in String(decoding: list, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
      guard let gap = line.firstRange(of: "  "), let digest = Digest(hex: String(line[..<gap.lowerBound])),
        !line[gap.upperBound...].contains("/")
      else { continue }
      stated[String(line[gap.upperBound...])] = digest
    }
    return stated
  }

  private static func read(_ path: String) -> [UInt8]? {
    // Read from the disk, not from the page cache.
    guard let file = try? File.openRegular(path) else { return nil }
    file.forgetCached()
    return try? file.readAll(limit: 1 << 30)
  }
}

/// Judges whether a program next to archives is the original one.
struct ProgramTrust {
  /// The judgement of a program.
  enum Judgement {
    /// This machine put it there.
    case known
    /// A trusted signer signed it.
    case signed
    /// It is not as its own list says.
    case faulty(ProgramBeside.Fault)
    /// This machine put another program or page of the same version next to archives.
    case replaced
    /// Its origin is unknown.
    case unknown
  }

  private let known: [Digest: String]
  private let keys: Set<Ed25519.PublicKey>

  /// Creates the judge from this machine's state and the signers of every vault.
  init(_ state: StateDirectory, _ trust: Trust) throws {
    known = try state.programs()
    var keys = trust.everywhere
    for signers in trust.configured.values { keys.formUnion(signers) }
    for vault in state.vaults().keys { keys.formUnion((try? trust.of(vault))?.signers ?? []) }
    self.keys = keys
  }

  func judge(_ program: ProgramBeside) -> Judgement {
    if let fault = program.fault { return .faulty(fault) }
    let digests = [program.digest, program.pageDigest].compactMap(\.self)
    if digests.allSatisfy({ known[$0] != nil }) { return .known }
    if program.signer(among: keys) != nil { return .signed }
    return known.values.contains(program.version) ? .replaced : .unknown
  }

  /// Returns whether this machine wrote the page that leads people to a program.
  func knows(page bytes: [UInt8]) -> Bool { known[SHA256.hash(bytes)] == StartHere.stateName }

  /// Returns whether a page may refer people to it.
  func accepts(_ program: ProgramBeside) -> Bool {
    switch judge(program) {
    case .known, .signed: true
    case .faulty, .replaced, .unknown: false
    }
  }

  /// The programs in a target that no page may lead to, the newest version first.
  func unaccepted(in target: Target) -> [ProgramBeside] {
    ProgramBeside.all(in: target).filter { !accepts($0) }
  }
}
