public import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A wallet of Bitcoin Core, or of a program that came from it, which its node copies itself while it runs.
///
/// The node keeps the wallet's file locked, and part of what it knows in memory: the file's bytes are a whole wallet
/// only while it does not run.
public struct NodeWallet: Sendable {
  private let place: NodePlace
  private let client: ServerClient

  /// The most that a node may take for a copy: a wallet can have a hundred thousand transactions.
  private static let patience = Duration.seconds(300)
  /// What a wallet of ten thousand descriptors does not need.
  private static let listingByteCount = 8 << 20

  /// The wallet whose file this is.
  ///
  /// Nil where no node can be asked: a node removes the cookie, its secret, when it ends.
  public init?(
    file path: String, client: ServerClient = ServerClient(transport: URLSessionTransport(), tries: 1)
  ) {
    guard let place = NodePlace(wallet: path) else { return nil }
    self.place = place
    self.client = client
  }

  /// Has the node copy the wallet.
  ///
  /// - Parameter path: a file that is not there yet, in a folder of this person's alone.
  /// - Returns: false where no node answers, because it was killed, or it has not loaded the wallet: then the wallet's
  ///   own file is whole.
  /// - Throws: ``SyncError`` where the node refuses, and what the system refuses.
  public func copy(to path: String) async throws -> Bool {
    guard try await isLoaded() else { return false }
    _ = try await rpc(wallet: place.wallet).call("backupwallet", [.string(path)])
    return true
  }

  /// Has the node print the wallet's descriptors with their private keys, as `listdescriptors true` does.
  ///
  /// - Returns: the JSON that the node prints; nil where no node answers, or it has not loaded the wallet, and where the
  ///   wallet is locked, of the old kind, or without private keys: then its file is all that there is.
  /// - Throws: ``SyncError``, and what the system refuses.
  public func privateDescriptors() async throws -> SharedSecret? {
    guard try await isLoaded() else { return nil }
    let rpc = try rpc(wallet: place.wallet)
    let listed: JSONValue
    do throws(SyncError) {
      listed = try await rpc.call("listdescriptors", [.boolean(true)])
    } catch {
      switch error {
      case .server, .unsupported: return nil
      default: throw error
      }
    }
    let text = listed.sourceBytes
    guard text.count <= Self.listingByteCount else { return nil }
    return SharedSecret(try SecretBytes(copying: Array(text).span))
  }

  private func isLoaded() async throws -> Bool {
    let rpc = try rpc(wallet: nil)
    let wallets: JSONValue
    do throws(SyncError) {
      wallets = try await rpc.call("listwallets")
    } catch {
      // Killed, it leaves its secret behind, and no lock.
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

  /// A wallet's name as a part of a URL.
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
