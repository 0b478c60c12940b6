public import FuekiWallet

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
  /// The answer is no JSON; what was asked, where that is known.
  case notJSON(JSONError, of: String?)
  /// The server is of another chain than the wallet.
  case wrongChain(expected: String, found: String)
  /// The server has not come as far as the chain was seen before.
  case behind(height: UInt64, known: UInt64)
  /// The server does not offer what is needed: the next source is asked.
  case unsupported(what: String)
  /// Coins cannot be looked up by a descriptor of the wallet; its checksum, where it could be read.
  case descriptor(DescriptorError, checksum: String?)
  /// The wallet has nothing that this kind of source could look for.
  case nothingToAsk
  /// The program to ask is not there, or failed.
  case program(name: String, ProgramFault)
  /// The store failed.
  case store(StoreFault)
  /// The task was cancelled.
  case cancelled
}

/// Why a program that is asked told nothing.
public enum ProgramFault: Equatable, Sendable {
  /// It is not installed.
  case notInstalled
  /// Another program keeps its data.
  case busy
  /// The directory of its data is not there.
  case noDirectory
  /// It prints more than any answer has.
  case tooMuchOutput(limit: Int)
  /// The system does not run it.
  case notRunnable
  /// It has not ended in time.
  case deadline(seconds: Int)
  /// This command of it failed.
  case failed(command: String)
}

/// What the store, in which the wallets are, has failed at.
public enum StoreFault: Equatable, Sendable {
  /// What is known of a wallet cannot be read.
  case walletUnread
  /// What was learnt of a wallet could not be kept.
  case findingsNotKept
  /// A price could not be kept.
  case priceNotKept
}
