import FuekiArchive
import FuekiBackup
import FuekiSystem
import FuekiWallet
import Synchronization
import TestSupport

/// A folder with a target, and with the state of vaults.
struct VaultBench: ~Copyable {
  let folder: TemporaryDirectory
  let target: Target

  init() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("target")
    try Directory.makePrivateDirectories(path)
    target = Target(path: path, kind: .local)
    self.folder = folder
  }

  func vault(_ name: String = "state", continuing archive: OpenArchive? = nil) async throws -> Vault {
    try await Vault.open(
      state: folder.path(name), continuing: archive, now: { 1_795_242_600_000_000 })
  }

  func names() throws -> [String] {
    try Directory.open(target.path).list().compactMap(\.text).sorted()
  }

  static func passphrase(_ text: String = "correct horse battery staple") throws -> VaultPassphrase {
    let typed = [UInt8](text.utf8)
    return try VaultPassphrase(utf8: typed.span)
  }

  static func slots() throws -> [NewSlot] { [try .passphrase(passphrase(), cost: SampleBundle.cost)] }

  static func message(_ number: Int) -> ChatMessage {
    var message = ChatMessage()
    (message.id, message.threadID) = (PackedText.pack("message-\(number)"), PackedText.pack("thread"))
    message.text = "number \(number)"
    return message
  }
}

/// Holds back the threads of backups until it is opened.
final class BackupGate: Sendable {
  private let isOpen = Mutex(false)

  func open() { isOpen.withLock { $0 = true } }

  func wait() {
    while !isOpen.withLock({ $0 }) { SystemClock.sleep(seconds: 0.005) }
  }
}
