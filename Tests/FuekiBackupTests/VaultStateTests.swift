import FuekiArchive
import FuekiBackup
import FuekiSystem
import TestSupport
import Testing

/// The file that keeps a machine's knowledge of a vault.
struct VaultStateTests {
  private let vault = VaultID(words: (7, 7))

  private func written(in folder: borrowing TemporaryDirectory) throws -> String {
    let bytes = try File.open(folder.path("vault-\(vault.hex).json")).readAll(limit: 1 << 20)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    "{}", #"{"signers": [], "tookOver": {}, "isLeft": false, "missing": []}"#,
    #"{"signers": null, "tookOver": null, "isLeft": null, "missing": null}"#,
  ])
  func `what a state does not state is empty, and an empty member is not written`(_ text: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write([UInt8](text.utf8), to: "vault-\(vault.hex).json")
    let directory = StateDirectory(path: folder.path)
    let state = try directory.vault(vault)
    #expect(state == VaultState() && state.isEmpty && state.signers == [] && !state.isLeft)
    try directory.lock(purpose: "test", processID: 1).keep(state, of: vault)
    let written = try written(in: folder)
    #expect(!written.contains("\""), "\(written)")
  }

  @Test func `the members that are not empty are written by their names, and read again`() throws {
    let folder = try TemporaryDirectory()
    let directory = StateDirectory(path: folder.path)
    var state = VaultState()
    (state.missing, state.isLeft, state.tookOver) = (["a wallet"], true, ["ab": 3])
    try directory.lock(purpose: "test", processID: 1).keep(state, of: vault)
    #expect(try directory.vault(vault) == state)
    let written = try written(in: folder)
    for name in ["missing", "isLeft", "tookOver"] {
      #expect(written.contains("\"\(name)\" : "), "\(written)")
    }
  }
}
