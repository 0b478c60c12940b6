/// Why a source gave nothing.
public enum SyncError: Error, Equatable, Sendable {
  /// No answer came.
  case transport(TransportError)
  /// The server refuses, by HTTP status.
  case refused(status: Int)
  /// The server wants fewer requests, after all tries.
  case rateLimited
  /// The server's own error, with its code.
  case server(code: Int, message: String)
  /// The question was about more than the server answers at once.
  case tooMuch(what: String)
  /// The answer is not what the API gives.
  case malformed(what: String)
  /// The server is of another chain than the wallet.
  case wrongChain(expected: String, found: String)
  /// The server has not come as far as the chain was seen before.
  case behind(height: UInt64, known: UInt64)
  /// The server does not offer what is needed: the next source is asked.
  case unsupported(what: String)
  /// The wallet has nothing that this kind of source could look for.
  case nothingToAsk
  /// The program to ask is not there, or failed.
  case program(name: String, reason: String)
  /// The task was cancelled.
  case cancelled
}
