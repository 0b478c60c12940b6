public import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

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
