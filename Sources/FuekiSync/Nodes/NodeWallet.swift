internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

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
