internal import FuekiSystem

/// A secret's file that a service of this program is handed, by systemd.exec(5).
struct ServiceCredential {
  /// The name of the archive's passphrase.
  static let passphrase = "fueki-passphrase"
  /// The name of an age identity.
  static let identity = "fueki-identity"

  private static let keys = ["LoadCredential=", "LoadCredentialEncrypted="]

  /// Its name in the credentials' folder.
  let name: String
  let path: String
  /// The unit and its line, for people.
  let namedBy: String
  private let unit: Unit

  /// The facts of a unit that tell which backups it makes.
  private struct Unit {
    let user: String?
    /// The words of its first command.
    let words: [String]

    init(_ lines: [Substring]) {
      func value(_ key: String) -> Substring? {
        lines.first { $0.hasPrefix(key) }.map { $0.dropFirst(key.count) }
      }
      user = value("User=").map(String.init)
      words = (value("ExecStart=") ?? "").split(separator: "\"").map { word in
        String(word).replacing("%%", with: "%").replacing("$$", with: "$")
      }.filter { $0 != " " }
    }

    /// The word after an option.
    func argument(_ option: String) -> String? {
      guard let place = words.firstIndex(of: option), words.indices.contains(place + 1) else { return nil }
      return words[place + 1]
    }
  }

  /// Whether its service runs for this user, with this configuration and this vault.
  func isFor(_ vault: VaultSettings, _ configuration: Configuration) -> Bool {
    let config = unit.argument("--config").map(CurrentProcess.absolutePath)
    let own = configuration.path.map(CurrentProcess.absolutePath)
    return (unit.user == nil || unit.user == Account.current)
      && (config == nil || config.map(ExactText.init(_:)) == own.map(ExactText.init(_:)))
      && (unit.argument("--vault") == nil || unit.argument("--vault").map(ExactText.init(_:)) == vault.name)
  }

  /// The credentials of the services of this program.
  static func all() -> [ServiceCredential] {
    var folders = ["/etc/systemd/system"]
    if let base = try? Places.base("XDG_CONFIG_HOME", below: ".config") {
      folders.append("\(base)/systemd/user")
    }
    return folders.flatMap { folder in
      let names = ((try? Directory.open(folder).list()) ?? []).compactMap(\.text)
      return names.sorted().filter { $0.hasPrefix("fueki-backup") && $0.hasSuffix(".service") }.flatMap {
        credentials(inUnit: "\(folder)/\($0)")
      }
    }
  }

  private static func credentials(inUnit path: String) -> [ServiceCredential] {
    guard let bytes = try? File.open(path).readAll(limit: 1 << 20) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let unit = Unit(lines)
    return lines.compactMap { line -> ServiceCredential? in
      guard let key = keys.first(where: line.hasPrefix) else { return nil }
      let parts = line.dropFirst(key.count).split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      return ServiceCredential(
        name: String(parts[0]), path: String(parts[1]).replacing("%%", with: "%"),
        namedBy: "\(key) in \(path)", unit: unit)
    }
  }
}
