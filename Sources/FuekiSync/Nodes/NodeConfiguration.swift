internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The connection settings in a node's own configuration file, for one of its chains.
struct NodeConfiguration {
  private(set) var port: Int?
  /// `user:password`, if the file has both.
  var secret: [UInt8]? {
    guard let user, let password else { return nil }
    return user + [UInt8(ascii: ":")] + password
  }

  private var user: [UInt8]?
  private var password: [UInt8]?

  /// The section names that differ from their directories'.
  private static let sections = ["testnet3": "test", "testnet4": "test", "": "main"]
  private static let byteLimit = 1 << 20

  /// Reads the file in a data directory, if there is one.
  ///
  /// - Parameters:
  ///   - folder: the data directory.
  ///   - chain: the chain's directory in it; empty for the main chain.
  init(folder: String, chain: String) {
    guard let folder = try? Directory.open(folder), let names = try? folder.list().compactMap(\.text) else {
      return
    }
    for name in names where name.hasSuffix("coin.conf") || name == "dash.conf" {
      guard let bytes = try? folder.openFile(name).readAll(limit: Self.byteLimit) else { continue }
      read(bytes, chain)
    }
  }

  private mutating func read(_ bytes: [UInt8], _ chain: String) {
    var (isMeant, isSection) = (true, false)
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = Self.trimmed(line)
      if text.first == UInt8(ascii: "[") {
        let section = String(decoding: text.dropFirst().prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self)
        (isMeant, isSection) = (section == chain || section == Self.sections[chain], true)
        continue
      }
      guard isMeant, let equals = text.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let value = Array(Self.trimmed(text[text.index(after: equals)...]))
      switch String(decoding: Self.trimmed(text[..<equals]), as: UTF8.self) {
      // Outside of sections, it applies to the main chain.
      case "rpcport" where isSection || chain.isEmpty:
        port = Int(String(decoding: value, as: UTF8.self)) ?? port
      case "rpcuser": user = value
      case "rpcpassword": password = value
      case _: continue
      }
    }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let begun = text.drop(while: isBlank)
    guard let last = begun.lastIndex(where: { !isBlank($0) }) else { return begun.prefix(0) }
    return begun[...last]
  }
}

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

/// A wallet of Bitcoin Core or a derived program, which its running node can copy.
///
/// The node keeps the file locked and a part of its data in memory, so the file alone is complete only while
/// the node is stopped.
public struct NodeWallet: Sendable {
  private let place: NodePlace
  private let client: ServerClient

  /// The time limit of a copy: a wallet can have a hundred thousand transactions.
  private static let patience = Duration.seconds(300)

  /// Finds the node of a wallet's file.
  ///
  /// Nil if no node can be queried: a node removes its cookie when it ends.
  public init?(
    file path: String, client: ServerClient = ServerClient(transport: CurlTransport(), tries: 1)
  ) {
    guard let place = NodePlace(wallet: path) else { return nil }
    self.place = place
    self.client = client
  }

  /// Returns whether a file's name is that of such a wallet.
  public static func isName(_ path: String) -> Bool { PathParts(path).name == NodePlace.file }

  /// Requests a copy of the wallet from the node.
  ///
  /// - Parameter path: a new file, in a directory private to this user.
  /// - Returns: false if no node answers, because it was killed, or it has not loaded the wallet: then the
  ///   wallet's own file is complete.
  /// - Throws: ``SyncError`` if the node refuses, and errors of the system.
  public func copy(to path: String) async throws -> Bool {
    guard try await isLoaded() else { return false }
    _ = try await rpc(wallet: place.wallet).call("backupwallet", [.string(path)])
    return true
  }

  private func isLoaded() async throws -> Bool {
    let rpc = try rpc(wallet: nil)
    let wallets: JSONValue
    do throws(SyncError) {
      wallets = try await rpc.call("listwallets")
    } catch {
      // A killed node leaves its cookie behind, but no lock.
      guard error.isNoConnection, try !isRunning() else { throw error }
      return false
    }
    return wallets.children.contains { $0.string == place.wallet }
  }

  private func isRunning() throws(SystemError) -> Bool {
    try File.openRegular(place.lockPath).lockHolder() != nil
  }

  private func rpc(wallet: String?) throws -> JSONRPC {
    let text = try place.credential()
    let secret = try SecretBytes(copying: text.span)
    let credential = EndpointCredential(.basic, secret: SharedSecret(secret))
    let path = wallet.map { "/wallet/\(Self.escaped($0))" } ?? ""
    return JSONRPC(
      client, url: "http://127.0.0.1:\(place.port)\(path)", credential: credential, deadline: Self.patience)
  }

  /// Escapes a wallet's name for a URL.
  private static func escaped(_ name: String) -> String {
    name.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
      guard !isPlain else { return String(scalar) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}

extension SyncError {
  fileprivate var isNoConnection: Bool {
    if case .transport(.unreachable) = self { true } else { false }
  }
}
