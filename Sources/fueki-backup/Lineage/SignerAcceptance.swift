internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

extension SignerAcceptance {
  /// Asks on the terminal if the archives prove nothing.
  init(secrets: UnlockingSecrets) { self.init(secrets: secrets, asking: Self.asks) }

  /// Asks on the terminal whether a signer is the vault's; false without a terminal.
  static func asks(about signer: Ed25519.PublicKey, of facts: HeaderFacts) throws -> Bool {
    guard Terminal.isAvailable else { return false }
    Asking.say(["archive \(facts.sequence) is signed by \(signer.fingerprint)"])
    let answer = try Terminal.readLine(
      prompt: Asking.prompt(
        "is this the fingerprint on your recovery kit or your other machine? type yes to trust it:"))
    return answer?.lowercased() == "yes"
  }
}
