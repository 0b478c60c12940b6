internal import FuekiSystem

/// Where a wallet's file of Bitcoin Core, or of a program that came from it, says that its node is.
struct NodePlace: Equatable {
  /// The folder of the chain: the data directory, or one in it such as `regtest`.
  let folder: String
  /// The wallet's name, as the node knows it.
  let wallet: String
  /// The port that the node answers at unless its configuration says otherwise.
  let port: Int

  private static let cookie = ".cookie"
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
      if (try? Directory.open(folder).contains(Self.cookie)) ?? false {
        let inWallets = names.first == "wallets" ? Array(names.dropFirst()) : names
        self.init(folder: folder, wallet: inWallets.joined(separator: "/"))
        return
      }
      let above = PathParts(folder)
      guard above.folder != folder, !above.name.isEmpty else { return nil }
      names.insert(above.name, at: 0)
      folder = above.folder
    }
    return nil
  }

  private init(folder: String, wallet: String) {
    self.folder = folder
    self.wallet = wallet
    let last = PathParts(folder)
    let chain = Self.chains.contains(last.name) ? last.name : ""
    let data = chain.isEmpty ? folder : last.folder
    let program = PathParts(data).name
    let usual = Self.ports[program]?[chain] ?? Self.ports[".bitcoin"]?[chain] ?? 8332
    port = Self.configuredPort(data, chain) ?? usual
  }

  /// The node's word and secret for programs of the same person, `__cookie__:…`.
  var cookiePath: String { "\(folder)/\(Self.cookie)" }

  /// What a node that runs holds a lock on.
  var lockPath: String { "\(folder)/.lock" }

  /// What `rpcport` says in the node's configuration, for its chain.
  private static func configuredPort(_ data: String, _ chain: String) -> Int? {
    guard let folder = try? Directory.open(data), let names = try? folder.list().compactMap(\.text) else {
      return nil
    }
    let sections = ["testnet3": "test", "testnet4": "test", "": "main"]
    for name in names where name.hasSuffix("coin.conf") || name == "dash.conf" {
      guard let bytes = try? folder.openFile(name).readAll(limit: 1 << 20) else { continue }
      var section = ""
      for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
        let text = line.filter { $0 != " " && $0 != "\t" }
        if text.hasPrefix("[") { section = String(text.dropFirst().prefix { $0 != "]" }) }
        guard text.hasPrefix("rpcport="), let port = Int(text.dropFirst("rpcport=".count)) else { continue }
        if section.isEmpty && chain.isEmpty || section == chain || section == sections[chain] { return port }
      }
    }
    return nil
  }
}
