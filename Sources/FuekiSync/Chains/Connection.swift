/// A source's connection to its server.
public struct Connection: Sendable {
  /// The client shared by all sources of a run.
  public let client: ServerClient
  /// The server's URL, or the data directory of a program.
  public let url: String
  /// The credential.
  public let credential: EndpointCredential?

  /// Creates a connection.
  public init(_ client: ServerClient, url: String, credential: EndpointCredential? = nil) {
    self.client = client
    self.url = url
    self.credential = credential
  }

  /// The server's JSON-RPC methods.
  package var rpc: JSONRPC { JSONRPC(client, url: url, credential: credential) }
}
