/// How a source reaches its server.
public struct Connection: Sendable {
  /// What all sources of a run ask with.
  public let client: ServerClient
  /// Where the server is; for a program, where its data are.
  public let url: String
  /// Who asks.
  public let credential: EndpointCredential?

  /// A way to a server.
  public init(_ client: ServerClient, url: String, credential: EndpointCredential? = nil) {
    self.client = client
    self.url = url
    self.credential = credential
  }

  /// The server's JSON-RPC methods.
  package var rpc: JSONRPC { JSONRPC(client, url: url, credential: credential) }
}
