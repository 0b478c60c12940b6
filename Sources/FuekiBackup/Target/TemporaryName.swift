internal import FuekiCrypto

/// What files are called while nothing may take them for archives.
enum TemporaryName {
  private static let prefix = ".fueki-"
  private static let suffix = ".tmp"
  /// What a newer rclone adds to it while it uploads.
  private static let rclonesSuffix = ".partial"

  /// What stands in the names of a trial's files instead of a machine's id.
  static let trial = "trial"

  /// A name that nobody else has, and that programs which synchronise folders leave alone.
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
