internal import FuekiSystem

/// The node of a wallet file of Bitcoin Core or a derived program.
struct NodePlace {
  /// The chain's directory: the data directory, or one in it such as `regtest`.
  let folder: String
  /// The wallet's name in the node.
  let wallet: String
  /// The node's default port.
  let port: Int

  /// `user:password` in the node's configuration; nil if the node wrote a cookie.
  private let secret: [UInt8]?

  private static let cookie = ".cookie"
  private static let lock = ".lock"
  private static let byteLimit = 4096
  static let file = "wallet.dat"
  /// The ports by the program's directory and the chain's.
  ///
  /// The main chain has no directory of its own.
  private static let ports: [String: [String: Int]] = [
    ".bitcoin": ["": 8332, "testnet3": 18332, "testnet4": 48332, "signet": 38332, "regtest": 18443],
    ".litecoin": ["": 9332, "testnet4": 19332, "signet": 39332, "regtest": 19443],
  ]
  private static let chains: Set<String> = ["testnet3", "testnet4", "signet", "regtest"]

  /// Finds the node of a wallet's file; nil if no running node is found.
  init?(wallet path: String) {
    let parts = PathParts(CurrentProcess.absolutePath(of: path))
    guard parts.name == Self.file else { return nil }
    var names: [String] = []
    var folder = parts.folder
    // The wallets directory, and a wallet's own directory.
    for _ in 0...3 {
      let inWallets = names.first == "wallets" ? Array(names.dropFirst()) : names
      if let place = NodePlace(folder: folder, wallet: inWallets.joined(separator: "/")) {
        self = place
        return
      }
      let above = PathParts(folder)
      guard above.folder != folder, !above.name.isEmpty else { return nil }
      names.insert(above.name, at: 0)
      folder = above.folder
    }
    return nil
  }

  /// Nil if it is not a chain's directory, or the node cannot be queried.
  private init?(folder: String, wallet: String) {
    guard let directory = try? Directory.open(folder) else { return nil }
    self.folder = folder
    self.wallet = wallet
    let last = PathParts(folder)
    let chain = Self.chains.contains(last.name) ? last.name : ""
    let data = chain.isEmpty ? folder : last.folder
    let program = PathParts(data).name
    let usual = Self.ports[program]?[chain] ?? Self.ports[".bitcoin"]?[chain] ?? 8332
    let configured = NodeConfiguration(folder: data, chain: chain)
    port = configured.port ?? usual
    if (try? directory.contains(Self.cookie)) ?? false {
      secret = nil
    } else {
      // A node with a password writes no cookie. While it runs, it holds the lock.
      guard let password = configured.secret, (try? directory.contains(Self.lock)) ?? false else {
        return nil
      }
      secret = password
    }
  }

  /// Returns the node's user and password for programs of the same user.
  ///
  /// They are from its configuration, else as written when it started.
  func credential() throws(SystemError) -> [UInt8] {
    if let secret { return secret }
    return try File.openRegular("\(folder)/\(Self.cookie)").readAll(limit: Self.byteLimit)
  }

  /// The file that a running node locks.
  var lockPath: String { "\(folder)/\(Self.lock)" }
}
