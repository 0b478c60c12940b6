internal import FuekiCrypto
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

  /// The wallet whose file this is.
  ///
  /// Nil where no node runs there: a node removes the file with its secret when it ends.
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

  private func isLoaded() async throws -> Bool {
    do {
      let wallets = try await rpc(wallet: nil).call("listwallets")
      return wallets.children.contains { $0.string == place.wallet }
    } catch SyncError.transport(.unreachable(let reason)) {
      // Killed, it leaves its secret behind, and no lock.
      guard try File.openRegular(place.lockPath).isLockedByAnother() else { return false }
      throw SyncError.transport(.unreachable(reason: reason))
    }
  }

  private func rpc(wallet: String?) throws -> JSONRPC {
    let cookie = try SecretBytes(copying: File.openRegular(place.cookiePath).readAll(limit: 4096).span)
    let credential = EndpointCredential(.basic, secret: SharedSecret(cookie))
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
