import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// A keychain that is still being written while the records of a restore are put into its destination.
@Suite struct UnconfirmedSharesTests {
  /// Restores, and returns the calls to the keychain and the destination, in order.
  private func calls(
    _ change: (LateKeychain, LateDestination) -> Void = { _, _ in },
    progress: @escaping (RestoreProgress) throws -> Void = { _ in }
  ) throws -> (calls: [String], error: (any Error)?) {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let intact = try sample.archive(try sample.bundle(), in: folder)
    let log = CallLog()
    let (keychain, destination) = (LateKeychain(log), LateDestination(log))
    change(keychain, destination)
    let recovery = Recovery(clock: { 0 }, secrets: { UnlockingSecrets(passphrases: [sample.passphrase]) })
    do {
      _ = try recovery.run(intact.source, resyncer: nil, progress: progress) { _ in (destination, keychain) }
      return (log.calls, nil)
    } catch {
      return (log.calls, error)
    }
  }

  @Test func `records are restored meanwhile, and put in place once the shares are compared`() throws {
    let (calls, error) = try calls()
    #expect(error == nil)
    #expect(calls.first == "write" && calls.last == "finish")
    #expect(calls.suffix(4) == ["finishWriting", "holds", "confirm", "finish"])
    #expect(calls.contains("restore transactions"))
  }

  @Test func `shares are compared as soon as they can be, and only once`() throws {
    let (calls, error) = try calls { keychain, destination in
      destination.willRestore = { if $0 == .transactions { keychain.isWritten = true } }
    }
    #expect(error == nil)
    let compared = try #require(calls.firstIndex(of: "holds"))
    #expect(calls[compared - 2] == "restore transactions")
    #expect(calls.filter { $0 == "holds" || $0 == "confirm" } == ["holds", "confirm"])
  }

  @Test func `an error from writing the keychain ends the restore before anything is in place`() throws {
    let (calls, error) = try calls { keychain, _ in keychain.failure = CryptoError.outOfMemory }
    #expect(error as? CryptoError == .outOfMemory)
    #expect(calls.last == "finishWriting")
  }

  @Test func `a share that differs ends the restore before anything is in place`() throws {
    let (calls, error) = try calls { keychain, _ in keychain.holdsShares = false }
    #expect(error as? PlaceError == .keychainDiffers)
    #expect(calls.last == "holds")
  }

  @Test func `an error from the records ends the restore without waiting for the keychain`() throws {
    let (calls, error) = try calls { _, destination in
      destination.willRestore = { section in
        if section == .transactions { throw RecordsError.malformedRecord(section: section.name) }
      }
    }
    #expect(error as? RecordsError == .malformedRecord(section: "transactions"))
    #expect(!calls.contains("finishWriting") && !calls.contains("finish"))
  }

  @Test func `an interrupted restore confirms the shares, so that another run can resume it`() throws {
    let (calls, error) = try calls { _, _ in
    } progress: { event in
      if case .restoring(.transactions, _, _) = event { throw Interrupted() }
    }
    #expect(error is Interrupted)
    #expect(calls.suffix(3) == ["finishWriting", "holds", "confirm"])
  }
}

private final class CallLog {
  var calls: [String] = []
}

/// A keychain whose writing ends in `finishWriting()`.
private final class LateKeychain: KeychainAccess {
  var isWritten = false
  var failure: CryptoError?
  var holdsShares = true
  private let log: CallLog

  init(_ log: CallLog) { self.log = log }

  func add(share descriptor: KeyShareDescriptor, secret: borrowing SecretBytes) {}
  func add(secretRecord: borrowing SecretBytes, of section: Section) {}
  func write() { log.calls.append("write") }

  func continueWriting() -> Bool { isWritten }

  func finishWriting() throws {
    log.calls.append("finishWriting")
    if let failure { throw failure }
  }

  func holds(share id: [UInt8], secret: borrowing SecretBytes) -> Bool {
    log.calls.append("holds")
    return holdsShares
  }

  func confirm() { log.calls.append("confirm") }
}

private final class LateDestination: Destination {
  var willRestore: (Section) throws -> Void = { _ in }
  private let log: CallLog

  init(_ log: CallLog) { self.log = log }

  func begin(_ manifest: Manifest, vaultID: VaultID) {}

  func restore(_ records: SectionRecords) throws -> UInt64 {
    log.calls.append("restore \(records.section.name)")
    try willRestore(records.section)
    var count: UInt64 = 0
    try records.forEachBlock(decode: \.messages.count) { count += UInt64($0) }
    return count
  }

  func finish() { log.calls.append("finish") }
}
