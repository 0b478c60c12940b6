/// The program's name and version, as manifests keep them.
enum Program {
  static let version = "0.3.0"
  static let name = "fueki-backup \(version)"
}
