internal import FuekiSystem

/// The settings that a scheduled run needs to find rclone and the user's current remotes.
struct RcloneSettings {
  /// The environment of the run.
  private(set) var variables: [(name: String, value: String)] = []
  /// The folder of rclone's configuration, which it updates with a server's new tokens; nil if unknown.
  private(set) var folder: String?
  /// Settings that rclone has from the environment, and that may be secret.
  let notPassedOn: [String]

  init() throws {
    notPassedOn = Environment.names(withPrefix: "RCLONE_").filter { $0 != Self.variable }.sorted()
    if let path = try Self.configuration() {
      variables.append((Self.variable, path))
      folder = Self.folder(of: path)
    } else {
      folder = Environment.get("HOME").map { "\($0)/.config/rclone" }
    }
    // Neither systemd nor cron searches the user's PATH.
    let found = ChildRun.find("rclone").map(Self.folder(of:))
    if let found, !["/usr/bin", "/bin"].contains(found) {
      variables.append(("PATH", "\(found):/usr/local/bin:/usr/bin:/bin"))
    }
  }

  private static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
  }

  private static let variable = "RCLONE_CONFIG"

  /// Returns the configuration file from the environment; nil if rclone looks in the user's home.
  private static func configuration() throws -> String? {
    if let given = Environment.get(variable), !given.isEmpty { return try AbsolutePath.of(given) }
    guard let folder = Environment.get("XDG_CONFIG_HOME"), folder.hasPrefix("/") else { return nil }
    let path = "\(folder)/rclone/rclone.conf"
    return (try? File.open(path)) == nil ? nil : path
  }
}
