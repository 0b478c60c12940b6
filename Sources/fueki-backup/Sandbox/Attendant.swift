internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem

/// The messages between the sandboxed process of a restore and its attendant.
enum AttendantFrame: UInt8 {
  // Requests of the sandboxed process. It cannot choose a file or a server, and names none.
  case resync = 1
  case listOpenPaths
  case askFile
  case copyNodeWallet
  // The attendant's answers.
  case outcome = 32
  case openPaths
  case file
  case noFile
  case nothing
  case refused
  // The attendant's question during a resync, and the answers to it.
  case askKeychain = 64
  case passphrase
  case keyFile
  case endOfSecrets
  case noSecrets
}

/// The process that does for a sandboxed restore what takes more rights.
///
/// It was forked before any secret or archive was read. It asks the chains, lists the paths that programs have open, asks
/// running nodes for copies of their wallets, and opens a file that the user names to it at the terminal.
final class Attendant: Sendable {
  /// The attendant said what it never says, or ended.
  private static let broken = SystemError.ended(call: "read", path: "socket")

  private let process: Locked<Guarded<ForkedAttendant>>
  /// The wallets that nodes may copy, as the attendant has them.
  private let wallets: [ExactText]

  /// Starts the attendant.
  ///
  /// - Parameters:
  ///   - resyncer: creates the resyncer there, with the way to the keychain's secrets.
  ///   - sources: the paths below which nodes may copy their wallets. Only files that are there now are copied.
  /// - Throws: a system error.
  init(
    resyncer: (@escaping () throws -> KeychainOpening) -> StoreResyncer?, copying sources: [String]
  ) throws {
    let wallets = NodeWalletFiles.below(sources)
    self.wallets = wallets.map { ExactText($0) }
    process = Locked(
      Guarded(
        try ForkedAttendant { socket in
          for name in SecretSource.Name.allCases { Environment.wipe(name.variable) }
          AttendantService(socket: socket, wallets: wallets).serve(resyncer)
        }))
  }

  /// Lists the paths that other programs have open.
  @Sendable func openPaths() throws -> OpenPaths {
    try process.withLock { process in
      let socket = try process.value.socket
      try Self.ask(.listOpenPaths, [], socket)
      var frame = ByteReader(try Self.answer(.openPaths, socket))
      let count = Int(try frame.u32())
      var entries: [OpenPaths.Entry] = []
      for _ in 0..<count {
        entries.append(
          OpenPaths.Entry(
            processID: Int32(bitPattern: try frame.u32()), program: try frame.nextText(),
            path: try frame.nextCounted()))
      }
      return OpenPaths(entries: entries)
    }
  }

  /// Has the user asked for a file.
  ///
  /// - Returns: its path, under which ``HandedFiles`` has it.
  /// - Throws: a ``Failure`` that another answer can correct.
  func askFile(_ prompt: String) throws -> String {
    try process.withLock { process in
      var request = FrameWriter()
      request.add(prompt)
      let socket = try process.value.socket
      try Self.ask(.askFile, request.bytes, socket)
      guard let (number, count) = try socket.next() else { throw Self.broken }
      var frame = ByteReader(try socket.receive(count))
      guard number == AttendantFrame.file.rawValue else { throw Failure(.usage, try frame.nextText()) }
      let path = try frame.nextText()
      HandedFiles.keep(try socket.receiveDescriptor(), as: path)
      return path
    }
  }

  /// Has a running node asked for a copy of its wallet.
  ///
  /// - Returns: the copy; nil if no node runs that has the wallet.
  /// - Throws: ``FileCopyingError``, and a system error if the attendant ended.
  func nodeCopy(of path: String) throws -> CopiedFile? {
    let path = CurrentProcess.absolutePath(of: path)
    guard let index = wallets.firstIndex(of: ExactText(path)) else { return nil }
    return try process.withLock { process in
      var request = FrameWriter()
      request.add(UInt32(clamping: index))
      let socket = try process.value.socket
      try Self.ask(.copyNodeWallet, request.bytes, socket)
      guard let (number, count) = try socket.next() else { throw Self.broken }
      switch AttendantFrame(rawValue: number) {
      case .file: return try CopiedFile(File.taking(descriptor: try socket.receiveDescriptor(), path: path))
      case .nothing: return nil
      case .refused:
        throw FileCopyingError.refused(
          reason: String(decoding: try socket.receive(count), as: UTF8.self))
      default: throw Self.broken
      }
    }
  }

  /// Has the chains asked about the restored wallets.
  ///
  /// - Parameter opening: returns the keychain's secrets, which are needed if an endpoint's key is in it.
  /// - Returns: the outcome, and the endpoints that the wallets name.
  /// - Throws: ``Interrupted``, and a system error if the attendant ended.
  func resync(opening: () throws -> KeychainOpening) throws -> (ResyncOutcome, [WalletEndpoint]) {
    try process.withLock { process in
      do {
        let socket = try process.value.socket
        try Self.ask(.resync, [], socket)
        while let (number, count) = try socket.next() {
          let payload = try socket.receive(count)
          switch AttendantFrame(rawValue: number) {
          case .askKeychain: try Self.send(opening, socket)
          case .outcome:
            var frame = ByteReader(payload)
            return (try ResyncOutcome(from: &frame), try frame.nextEndpoints())
          default: throw Self.broken
          }
        }
        throw Self.broken
      } catch let error as SystemError where error.isInterrupted {
        process.value.interrupt()
        throw Interrupted()
      }
    }
  }

  private static func ask(
    _ request: AttendantFrame, _ payload: [UInt8], _ socket: MessageSocket
  ) throws(SystemError) {
    try socket.append(request.rawValue, payload)
    try socket.flush()
  }

  private static func answer(
    _ expected: AttendantFrame, _ socket: MessageSocket
  ) throws(SystemError) -> [UInt8] {
    guard let (number, count) = try socket.next(), number == expected.rawValue else { throw broken }
    return try socket.receive(count)
  }

  private static func send(_ opening: () throws -> KeychainOpening, _ socket: MessageSocket) throws {
    let secrets: [KeychainSecret]
    do {
      secrets = try opening().secrets
    } catch {
      var frame = FrameWriter()
      frame.add(Failure(describing: error).message)
      return try ask(.noSecrets, frame.bytes, socket)
    }
    for secret in secrets {
      let (kind, value) =
        switch secret {
        case .passphrase(let value): (AttendantFrame.passphrase, value)
        case .keyFile(let value): (AttendantFrame.keyFile, value)
        }
      try value.bytes.withBytes { (bytes) throws(SystemError) in
        try socket.send(kind.rawValue, secret: bytes)
      }
    }
    try ask(.endOfSecrets, [], socket)
  }
}

/// The resync of a restore in its sandbox.
final class AttendedResyncer: WalletResyncer {
  private(set) var walletEndpoints: [WalletEndpoint] = []
  private let attendant: Attendant
  private let console: Console
  private let opening: () throws -> KeychainOpening

  init(_ attendant: Attendant, _ console: Console, opening: @escaping () throws -> KeychainOpening) {
    (self.attendant, self.console, self.opening) = (attendant, console, opening)
  }

  func resync() -> ResyncOutcome {
    do {
      let (outcome, endpoints) = try attendant.resync(opening: opening)
      walletEndpoints = endpoints
      return outcome
    } catch {
      let reason = Failure(describing: error).message
      // The attendant, which is interrupted too, has reported it.
      if !Interrupted.isCause(of: error) { StoreResyncer.warn(reason, console) }
      return .incomplete(wallets: 0, problems: [reason])
    }
  }
}
