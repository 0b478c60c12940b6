internal import FuekiSystem
internal import FuekiWallet
public import FuekiSources

/// A format of other programs' files, which archives record by its name.
struct FileFormat: Sendable {
  typealias Recognition = @Sendable (_ beginning: Span<UInt8>) -> Bool

  let name: String
  /// The file names that identify it if the content does not.
  let fileNames: Set<String>
  /// Why such a file does harm where its program finds it.
  let hold: HoldReason?
  /// Patterns of more names of harmful files, in lower case.
  let heldNames: [NamePattern]
  /// The directories of harmful files, in lower case.
  let heldFolders: Set<String>
  /// Recognises a file that is public or encrypted by its wallet, by its first bytes.
  let isPublic: Recognition

  init(
    _ name: String, fileNames: Set<String> = [], hold: HoldReason? = nil, heldNames: [String] = [],
    heldFolders: Set<String> = [], isPublic: @escaping Recognition = { _ in false }
  ) {
    (self.name, self.fileNames, self.hold, self.isPublic) = (name, fileNames, hold, isPublic)
    self.heldNames = (heldNames + fileNames).map { NamePattern($0) }
    self.heldFolders = heldFolders
  }

  /// The formats of all kinds.
  static let all = CollectorKind.all.flatMap(\.formats)

  /// Whether a file is of the format or a variant of it, or has the name of such a file.
  fileprivate func covers(_ file: OriginalFile) -> Bool {
    if file.format == name || file.format.hasPrefix("\(name)-") { return true }
    let parts = (file.place ?? file.path).split(separator: UInt8(ascii: "/"))
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
    let fileName = PathParts(PathText.text(file.path)).name.lowercased()
    return heldNames.contains { $0.matches(fileName) }
      || parts.dropLast().contains(where: heldFolders.contains)
  }
}

extension HoldReason {
  /// The reasons in order of precedence.
  private static let all: [HoldReason] = [.channelBackup, .channels, .validatorKey, .slashingRecord]

  /// Returns the reason to hold a file back when it is put back; nil if it goes to its place.
  public static func reason(for file: OriginalFile) -> HoldReason? {
    var reasons = Set(FileFormat.all.filter { $0.hold != nil && $0.covers(file) }.compactMap(\.hold))
    if file.hazards.contains(WalletHazard.lightning.rawValue) { reasons.insert(.channels) }
    if file.hazards.contains(WalletHazard.validator.rawValue) { reasons.insert(.validatorKey) }
    return all.first(where: reasons.contains)
  }
}

/// The names of a kind's files, for files whose contents do not identify them.
struct WalletNames: Sendable {
  /// The names that identify the kind.
  let exact: Set<String>
  private let certain: [NamePattern]
  private let possible: [NamePattern]
  private var areFree = false

  init(exact: Set<String> = [], certain: [String] = [], possible: [String] = []) {
    self.exact = exact
    self.certain = certain.map { NamePattern($0) }
    self.possible = possible.map { NamePattern($0) }
  }

  /// Names chosen by the user, unless they are those of documents.
  static let anyOrdinary: WalletNames = {
    var names = WalletNames()
    names.areFree = true
    return names
  }()

  /// Whether a file of this name is a wallet, whatever its content.
  func isWallet(_ name: String) -> Bool { exact.contains(name) || certain.contains { $0.matches(name) } }

  /// Whether a file of this name may have been a wallet, in a place for such wallets.
  func mayBeWallet(_ name: String) -> Bool {
    guard !name.hasPrefix("."), !name.hasSuffix("~"), !name.hasSuffix(".lock"), !name.contains(".tmp") else {
      return false
    }
    guard !areFree else { return !Self.documentEndings.contains { name.lowercased().hasSuffix($0) } }
    guard !Self.others.contains(where: { $0.matches(name) }) else { return false }
    return isWallet(name) || possible.contains { $0.matches(name) }
  }

  /// Files of Bitcoin Core that are not wallets and may be empty or start with zeros.
  private static let others = [
    "peers.dat", "banlist.dat", "fee_estimates.dat", "mempool.dat", "anchors.dat", "xor.dat", "blk*.dat",
    "rev*.dat",
  ].map { NamePattern($0) }

  private static let documentEndings = [
    ".txt", ".md", ".html", ".htm", ".log", ".csv", ".pdf", ".png", ".jpg", ".ini", ".cfg", ".conf",
  ]
}

/// A name with `*` for any characters.
public struct NamePattern: Sendable {
  private let bytes: [UInt8]
  private static let star = UInt8(ascii: "*")

  /// Creates a pattern for one name.
  public init(_ text: String) { bytes = text.pathBytes }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether a name matches.
  public func matches(_ name: String) -> Bool { matches(name.pathBytes) }

  func matches(_ name: [UInt8]) -> Bool {
    if name.first == UInt8(ascii: "."), bytes.first == Self.star { return false }
    // The position of the last star, and the length of its match.
    var (place, index) = (0, 0)
    var (star, taken) = (Int?.none, 0)
    while index < name.count {
      if place < bytes.count, bytes[place] == Self.star {
        (star, taken) = (place, index)
        place += 1
      } else if place < bytes.count, bytes[place] == name[index] {
        place += 1
        index += 1
      } else if let star {
        taken += 1
        (place, index) = (star + 1, taken)
      } else {
        return false
      }
    }
    return bytes[place...].allSatisfy { $0 == Self.star }
  }
}
