internal import FuekiSystem

/// Where a wallet's file of Bitcoin Core, or of a program that came from it, says that its node is.
struct NodePlace {
  /// The folder of the chain: the data directory, or one in it such as `regtest`.
  let folder: String
  /// The wallet's name, as the node knows it.
  let wallet: String
  /// The port that the node answers at unless its configuration says otherwise.
  let port: Int

  /// `user:password` of the node's configuration; nil where it left a cookie.
  private let secret: [UInt8]?

  private static let cookie = ".cookie"
  private static let lock = ".lock"
  private static let byteLimit = 4096
  private static let file = "wallet.dat"
  /// The ports by the program's folder and the chain's; the main chain has none of its own.
  private static let ports: [String: [String: Int]] = [
    ".bitcoin": ["": 8332, "testnet3": 18332, "testnet4": 48332, "signet": 38332, "regtest": 18443],
    ".litecoin": ["": 9332, "testnet4": 19332, "signet": 39332, "regtest": 19443],
  ]
  private static let chains: Set<String> = ["testnet3", "testnet4", "signet", "regtest"]

  /// The place of a wallet's file; nil where no node is there that answers.
  init?(wallet path: String) {
    let parts = PathParts(CurrentProcess.absolutePath(of: path))
    guard parts.name == Self.file else { return nil }
    var names: [String] = []
    var folder = parts.folder
    // wallets, and a wallet's own folder.
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

  /// Nil where the folder is none of a chain, or nothing is there to ask its node with.
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
      // A node that has a password leaves no cookie; while it runs it holds the lock.
      guard let password = configured.secret, (try? directory.contains(Self.lock)) ?? false else {
        return nil
      }
      secret = password
    }
  }

  /// The node's user and password for programs of the same person: of its configuration, else as it wrote them when it
  /// began.
  func credential() throws(SystemError) -> [UInt8] {
    if let secret { return secret }
    return try File.openRegular("\(folder)/\(Self.cookie)").readAll(limit: Self.byteLimit)
  }

  /// What a node that runs holds a lock on.
  var lockPath: String { "\(folder)/\(Self.lock)" }
}
