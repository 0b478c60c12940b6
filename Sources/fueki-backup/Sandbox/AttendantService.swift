internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem

/// The attendant's side: it answers requests until the sandboxed process ends.
struct AttendantService {
  let socket: MessageSocket
  /// The wallets that nodes may copy, which requests name by their number.
  let wallets: [String]

  func serve(_ resyncer: (@escaping () throws -> KeychainOpening) -> StoreResyncer?) {
    while let (number, count) = try? socket.next(), let request = AttendantFrame(rawValue: number),
      let payload = try? socket.receive(count)
    {
      guard (try? answer(request, payload, resyncer)) != nil else { return }
    }
  }

  private func answer(
    _ request: AttendantFrame, _ payload: [UInt8],
    _ resyncer: (@escaping () throws -> KeychainOpening) -> StoreResyncer?
  ) throws {
    switch request {
    case .resync:
      let own = resyncer { try keychainOpening() }
      let outcome = own?.resync() ?? .notRun(reason: "not asked for")
      var frame = FrameWriter()
      outcome.write(to: &frame)
      frame.add(own?.walletEndpoints ?? [])
      try reply(.outcome, frame.bytes)
    case .listOpenPaths:
      // Those of the two processes themselves are none of another program.
      let entries = OpenPaths().entries.filter { $0.processID != CurrentProcess.parentIdentifier }
      var frame = FrameWriter()
      frame.add(UInt32(clamping: entries.count))
      for entry in entries {
        frame.add(UInt32(bitPattern: entry.processID))
        frame.add(entry.program)
        frame.add(entry.path)
      }
      try reply(.openPaths, frame.bytes)
    case .askFile:
      var frame = ByteReader(payload)
      try openFile(askedBy: try frame.nextText())
    case .copyNodeWallet:
      var frame = ByteReader(payload)
      try copyWallet(Int(try frame.u32()))
    default: throw CommandError.usage("unknown request")
    }
  }

  /// Has one of the wallets copied by its node.
  private func copyWallet(_ number: Int) throws {
    guard wallets.indices.contains(number) else { return try reply(.nothing, []) }
    do {
      guard let copy = try WalletCopies.nodeFile(wallets[number]) else { return try reply(.nothing, []) }
      try socket.append(AttendantFrame.file.rawValue)
      try socket.send(copy)
    } catch let FileCopyingError.refused(reason) {
      try reply(.refused, Array(reason.utf8))
    }
  }

  /// Asks for a file here, so that the sandboxed process cannot choose one.
  private func openFile(askedBy prompt: String) throws {
    var frame = FrameWriter()
    do {
      let typed = try Terminal.readLine(prompt: prompt) ?? ""
      let path = HomePath.expanded(typed)
      let file = try File.open(path)
      frame.add(path)
      try socket.append(AttendantFrame.file.rawValue, frame.bytes)
      try socket.send(file)
    } catch {
      frame.add(Failure(describing: error).message)
      try reply(.noFile, frame.bytes)
    }
  }

  private func keychainOpening() throws -> KeychainOpening {
    try reply(.askKeychain, [])
    var secrets: [KeychainSecret] = []
    while let (number, count) = try socket.next() {
      switch AttendantFrame(rawValue: number) {
      case .passphrase: secrets.append(.passphrase(try secret(count)))
      case .keyFile: secrets.append(.keyFile(try secret(count)))
      case .endOfSecrets: return KeychainOpening(secrets)
      default:
        var frame = ByteReader(try socket.receive(count))
        throw Failure(.failed, try frame.nextText())
      }
    }
    throw SystemError.ended(call: "read", path: "socket")
  }

  private func secret(_ count: Int) throws -> SharedSecret {
    SharedSecret(
      try SecretBytes(count: count) { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
        try socket.receive(into: &bytes)
      })
  }

  private func reply(_ kind: AttendantFrame, _ payload: [UInt8]) throws(SystemError) {
    try socket.append(kind.rawValue, payload)
    try socket.flush()
  }
}

extension ResyncOutcome {
  fileprivate func write(to frame: inout FrameWriter) {
    switch self {
    case .notRun(let reason):
      frame.add(UInt8(0))
      frame.add(reason)
    case .complete(let wallets):
      frame.add(UInt8(1))
      frame.add(UInt32(clamping: wallets))
    case .incomplete(let wallets, let problems):
      frame.add(UInt8(2))
      frame.add(UInt32(clamping: wallets))
      frame.add(problems)
    }
  }

  init(from frame: inout ByteReader) throws(ByteReader.Exhausted) {
    switch try frame.u8() {
    case 0: self = .notRun(reason: try frame.nextText())
    case 1: self = .complete(wallets: Int(try frame.u32()))
    default: self = .incomplete(wallets: Int(try frame.u32()), problems: try frame.nextTexts())
    }
  }
}

extension FrameWriter {
  fileprivate mutating func add(_ endpoints: [WalletEndpoint]) {
    add(UInt32(clamping: endpoints.count))
    for endpoint in endpoints {
      add(endpoint.kind)
      add(endpoint.place)
      add(endpoint.wallets)
      add(endpoint.isAllowed)
    }
  }
}

extension ByteReader {
  mutating func nextEndpoints() throws(Exhausted) -> [WalletEndpoint] {
    let count = Int(try u32())
    var endpoints: [WalletEndpoint] = []
    for _ in 0..<count {
      endpoints.append(
        WalletEndpoint(
          kind: try nextText(), place: try nextText(), wallets: try nextTexts(), isAllowed: try nextFlag()))
    }
    return endpoints
  }
}
