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
