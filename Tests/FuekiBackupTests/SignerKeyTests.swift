import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// Signers' public keys, as people read them and as this machine's state keeps them.
struct SignerKeyTests {
  private static let hex = String(repeating: "ab", count: 32)
  private static let other = String(repeating: "0c", count: 32)

  private func key(_ hex: String) throws -> Ed25519.PublicKey { try #require(Ed25519.PublicKey(hex: hex)) }

  @Test func `a key has one fingerprint, and one text for minisign`() throws {
    let key = try key(Self.hex)
    #expect(key.fingerprint == "9a2d b2e2 3f15 04cd 0566 0655 3ac0 49c5")
    #expect(key.minisignText == "RWSaLbLiPxUEzaurq6urq6urq6urq6urq6urq6urq6urq6urq6urq6ur")
  }

  /// An invalid key is skipped, and the vault's other signers are read.
  @Test func `a state file's signers are read as they ever were, and written the same`() throws {
    let folder = try TemporaryDirectory()
    let vault = VaultID(words: (7, 7))
    let lines = [
      Self.other, Self.hex.uppercased(), String(Self.hex.dropLast(2)), Self.hex + "ab", "ag", "",
    ].map { "\"\($0)\"" }
    try folder.write(
      [UInt8]("{\"signers\": [\(lines.joined(separator: ", "))], \"signedFrom\": 3}".utf8),
      to: "vault-\(vault.hex).json")
    let directory = StateDirectory(path: folder.path)
    var state = try directory.vault(vault)
    #expect(try state.signerKeys == [key(Self.hex), key(Self.other)] && state.signedFrom == 3)
    let lock = try directory.lock(purpose: "test", processID: 1)
    state.accept(signers: [try key(Self.hex)])
    try lock.keep(state, of: vault)
    #expect(try directory.vault(vault).signers == [Self.other, Self.hex])
  }

  @Test func `a retired signer comes back only when it is typed`() throws {
    var state = VaultState()
    state.accept(signers: [try key(Self.hex), try key(Self.other)])
    state.retire(signers: [try key(Self.other)])
    #expect(state.signers == [Self.hex] && state.retired == [Self.other])
    state.accept(signers: [try key(Self.other)])
    #expect(try state.signerKeys == [key(Self.hex)])
    state.signers = [Self.hex, Self.other]
    #expect(try state.signerKeys == [key(Self.hex)])
    var trust = Trust()
    let vault = VaultID(words: (7, 7))
    trust.remember(state, of: vault)
    trust.configured[vault] = [try key(Self.other)]
    #expect(try trust.of(vault).signers == [key(Self.hex)])
    state.retire(signers: [try key(Self.hex)])
    #expect(state.signers == [] && state.isEmpty)
    state.trust(signers: [try key(Self.other)])
    #expect(state.signers == [Self.other] && state.retired == [Self.hex])
  }
}
