internal import FuekiSystem

/// What a scheduled run needs to find rclone, and the remotes as the person knows them now.
struct RcloneSettings {
  /// What the run's environment has to say.
  private(set) var variables: [(name: String, value: String)] = []
  /// Where rclone keeps its configuration, and writes a server's new tokens; nil where nobody knows.
  private(set) var folder: String?
  /// What rclone knows from the environment, and may be a secret.
  let notPassedOn: [String]

  init() throws {
    notPassedOn = Environment.names(withPrefix: "RCLONE_").filter { $0 != Self.variable }.sorted()
    if let path = try Self.configuration() {
      variables.append((Self.variable, path))
      folder = Self.folder(of: path)
    } else {
      folder = Environment.get("HOME").map { "\($0)/.config/rclone" }
    }
    // Neither systemd nor cron looks where a person's shell does.
    let found = ChildRun.find("rclone").map(Self.folder(of:))
    if let found, !["/usr/bin", "/bin"].contains(found) {
      variables.append(("PATH", "\(found):/usr/local/bin:/usr/bin:/bin"))
    }
  }

  private static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
  }

  private static let variable = "RCLONE_CONFIG"

  /// The file that the environment names; nil where rclone looks in the person's home.
  private static func configuration() throws -> String? {
    if let given = Environment.get(variable), !given.isEmpty { return try AbsolutePath.of(given) }
    guard let folder = Environment.get("XDG_CONFIG_HOME"), folder.hasPrefix("/") else { return nil }
    let path = "\(folder)/rclone/rclone.conf"
    return (try? File.open(path)) == nil ? nil : path
  }
}
