internal import FuekiCrypto

/// Names for files that must not be mistaken for archives.
enum TemporaryName {
  private static let prefix = ".fueki-"
  private static let suffix = ".tmp"
  /// The suffix that a newer rclone adds during an upload.
  private static let rclonesSuffix = ".partial"

  /// The id in the names of a trial's files, in place of a machine's.
  static let trial = "trial"

  /// Makes a unique name that sync programs ignore.
  static func make(for machine: String) -> String {
    "\(prefix)\(machine)-\(Hex.encode(RandomBytes.bytes(8)))\(suffix)"
  }

  static func isOne(_ name: String) -> Bool {
    name.hasPrefix(prefix) && (name.hasSuffix(suffix) || name.hasSuffix(rclonesSuffix))
  }

  static func isLeftover(_ name: String, of machine: String) -> Bool {
    isOne(name) && name.hasPrefix("\(prefix)\(machine)-")
  }
}
