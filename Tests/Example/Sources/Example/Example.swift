import FoundationEssentials
import FuekiBackup

/// A chat app loses its machine, and restores its conversations on another one; then a wallet app does the same.
@main
struct Example {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/fueki-example-" + UUID().uuidString
    let (old, new, disk) = (folder + "/old", folder + "/new", Target(path: folder + "/disk", kind: .local))
    try FileManager.default.createDirectory(atPath: disk.path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let typed = [UInt8]("a passphrase on paper".utf8)
    try ChatStore.sample.save(to: old)
    let chat = try ChatStore(in: old)

    let words = try VaultPassphrase(utf8: typed.span)
    let vault = try await Vault.open(state: old + "/state", program: "chat 1.0", label: "chat")
    try await vault.backUp(to: [disk], opening: [.passphrase(words)]) { archive in
      for person in chat.people { try archive.add(person.record) }
      for conversation in chat.conversations { try archive.add(conversation.record) }
      for message in chat.messages { try archive.add(message.record) }
    }

    try FileManager.default.removeItem(atPath: old)

    var restored = ChatStore()
    let archive = try await Archive.newest(in: [disk]).open(with: .passphrase(words))
    for try await record in archive.records { try restored.add(record) }
    _ = try await Vault.open(state: new + "/state", continuing: archive)

    try restored.save(to: new)
    guard try ChatStore(in: new) == chat else { throw ExampleError.storesDiffer }
    print("example: \(restored.messages.count) messages are back, and the next archive follows the last one")

    try await PocketWallet.run(in: folder + "/pocket", typed: typed)
  }
}
