import FuekiCrypto
import FuekiSync
import FuekiSystem
import FuekiWallet
import Glibc
import TestSupport
import Testing

/// Wallets that a node backs up, against litecoind with its cookie or password in a file.
@Suite(.serialized, .enabled(if: LitecoinNode.isInstalled, "there is no litecoind on this machine"))
struct NodeWalletTests {
  private struct Node {
    let home: String
    let process: Int32
    let url: String
    let secret: EndpointCredential
    var rpc: JSONRPC { JSONRPC(LocalSecret.client, url: url, credential: secret) }

    /// Starts a node in a home directory, on its configured port.
    init(home: String, password: String? = nil) async throws {
      self.home = home
      let folder = "\(home)/.litecoin"
      try Directory.makePrivateDirectories(folder)
      let port = Loopback.place().port
      let own = password.map { "rpcuser=me\nrpcpassword=\($0)\n" } ?? ""
      let configuration =
        own + "regtest=1\nlisten=0\ndnsseed=0\nfallbackfee=0.0001\n[regtest]\nrpcport = \(port)\n"
      try Directory.open(folder).writeWhole(
        Array(configuration.utf8), as: "litecoin.conf", permissions: 0o600, replacing: true)
      process = try Companion.start(
        "/usr/bin/litecoind", ["-datadir=\(folder)", "-server", "-printtoconsole=0"],
        output: "node-\(UInt32.random(in: .min ... .max))", in: home)
      let cookie = "\(folder)/regtest/.cookie"
      url = "http://127.0.0.1:\(port)"
      for _ in 0..<1200 {
        if let secret = try? password.map({ try LocalSecret.of(Array("me:\($0)".utf8)) })
          ?? LocalSecret.read(cookie)
        {
          let rpc = JSONRPC(LocalSecret.client, url: url, credential: secret)
          if (try? await rpc.call("getblockcount")) != nil {
            self.secret = secret
            return
          }
        }
        try await Task.sleep(for: .milliseconds(50))
      }
      Companion.end(process)
      throw LitecoinNode.Problem.didNotStart
    }

    func stop() async throws {
      _ = try await rpc.call("stop")
      _ = try ChildEnding.wait(for: process)
    }
  }

  @Test(arguments: [nil, "of its own, with = in it"])
  func `a running node's wallet comes whole, and is loaded elsewhere with the same addresses`(
    _ password: String?
  ) async throws {
    let home = try TemporaryDirectory()
    let other = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    let node = try await Node(home: home.path, password: password)
    _ = try await node.rpc.call("createwallet", [.string("my savings")])
    let url = "/wallet/my%20savings"
    var addresses: [String] = []
    for _ in 0..<5 {
      let address = try await JSONRPC(LocalSecret.client, url: node.url + url, credential: node.secret)
        .call("getnewaddress", [.string("label")])
      addresses.append(try #require(address.string))
    }
    let file = "\(home.path)/.litecoin/regtest/wallets/my savings/wallet.dat"
    let wallet = try #require(NodeWallet(file: file))
    #expect(try await wallet.copy(to: scratch.path("copy")))
    try await node.stop()
    // The node and its cookie are gone, so the file itself is the wallet.
    let later = NodeWallet(file: file)
    #expect((later == nil) == (password == nil))
    #expect(try await later?.copy(to: scratch.path("again")) != true)

    let second = try await Node(home: other.path)
    let place = "\(other.path)/.litecoin/regtest/wallets/restored"
    try Directory.makePrivateDirectories(place)
    try Directory.open(place).writeWhole(
      scratch.read("copy"), as: "wallet.dat", permissions: 0o600, replacing: false)
    _ = try await second.rpc.call("loadwallet", [.string("restored")])
    let restored = JSONRPC(
      LocalSecret.client, url: second.url + "/wallet/restored", credential: second.secret)
    for address in addresses {
      #expect(try await restored.call("getaddressinfo", [.string(address)]).member("ismine")?.boolean == true)
    }
    try await second.stop()
  }

  @Test func `a wallet that the node has not loaded, and a node that was killed, leave the file to be read`()
    async throws
  {
    let home = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    let node = try await Node(home: home.path)
    _ = try await node.rpc.call("createwallet", [.string("a")])
    let wallet = try #require(NodeWallet(file: "\(home.path)/.litecoin/regtest/wallets/a/wallet.dat"))
    _ = try await node.rpc.call("unloadwallet", [.string("a")])
    #expect(try await !wallet.copy(to: scratch.path("copy")))
    Companion.end(node.process)
    #expect(try await !wallet.copy(to: scratch.path("copy")))
    #expect(try scratch.open().list().isEmpty)
  }
}

/// A local node's secret for the same user's programs.
private enum LocalSecret {
  static var client: ServerClient { ServerClient(transport: CurlTransport(), tries: 1) }

  static func read(_ path: String) throws -> EndpointCredential {
    let bytes = try File.open(path).readAll(limit: 4096)
    return try of(bytes)
  }

  static func of(_ bytes: [UInt8]) throws -> EndpointCredential {
    EndpointCredential(.basic, secret: SharedSecret(try SecretBytes(copying: bytes.span)))
  }
}
