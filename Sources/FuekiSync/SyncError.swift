public import FuekiWallet

/// Why a source returned nothing.
public enum SyncError: Error, Equatable, Sendable {
  /// No answer came.
  case transport(TransportError)
  /// The server refused, with an HTTP status.
  case refused(status: Int)
  /// The server demands fewer requests, even after all retries.
  case rateLimited
  /// The server's own error and code.
  case server(code: Int, message: String)
  /// The request exceeds the server's limits.
  case tooMuch(what: String)
  /// The answer violates the API.
  case malformed(what: String)
  /// The answer is not JSON, with the subject of the request if known.
  case notJSON(JSONError, of: String?)
  /// The server is for another chain than the wallet.
  case wrongChain(expected: String, found: String)
  /// The server is behind an earlier known height.
  case behind(height: UInt64, known: UInt64)
  /// The server lacks a required feature.
  ///
  /// The next source is used.
  case unsupported(what: String)
  /// A descriptor of the wallet cannot be queried.
  ///
  /// It is identified by its checksum, if readable.
  case descriptor(DescriptorError, checksum: String?)
  /// The wallet has neither an address nor a descriptor for this kind of source.
  case nothingToAsk
  /// The program is missing or failed.
  case program(name: String, ProgramFault)
  /// The store failed.
  case store(StoreFault)
  /// The task was cancelled.
  case cancelled
}

/// Why a program failed.
public enum ProgramFault: Equatable, Sendable {
  /// It is not installed.
  case notInstalled
  /// Another process uses its data.
  case busy
  /// Its data directory is missing.
  case noDirectory
  /// Its output exceeds the limit.
  case tooMuchOutput(limit: Int)
  /// The system cannot run it.
  case notRunnable
  /// It exceeded the time limit.
  case deadline(seconds: Int)
  /// This command failed.
  case failed(command: String)
}

/// A failure of the store with the wallets.
public enum StoreFault: Equatable, Sendable {
  /// A wallet's known state cannot be read.
  case walletUnread
  /// A wallet's findings could not be stored.
  case findingsNotKept
  /// A price could not be stored.
  case priceNotKept
}
