internal import FuekiBackup
internal import FuekiCrypto

extension Failure {
  /// Explains why the keys of an archive cannot be changed.
  init(_ error: KeyChangeError) {
    let status = ExitStatus(error)
    switch error {
    case .partlyOpen(let closed):
      self.init(
        status,
        "this secret opens only a part: \(closed.joined(separator: " and ")) \(closed.count == 1 ? "stays" : "stay") closed",
        meaning: "resealing the archive would lose the closed part, so nothing was written",
        hint: "use a key that opens all of it")
    }
  }

  /// Why a signing key does not sign.
  init(signingKey path: String, _ error: SigningKeyError) {
    let meaning = "nothing was signed, and nothing was written"
    switch error {
    case .malformed: self.init(.wrongSecret, "\(path) is not a signing key file", meaning: meaning)
    case .newer(let title):
      self.init(
        .tooNew, "\(path) was made by a newer version (\(title))", meaning: meaning,
        hint: "install a newer fueki-backup")
    case .overLimit:
      self.init(
        .overLimit, "the key derivation of \(path) is outside the limits", meaning: meaning,
        hint: "64 to 1024 MiB and 2 to 16 passes")
    case .needsPassphrase: self.init(describing: CommandError.noSecret(.signing))
    case .wrongPassphrase:
      self.init(
        .wrongSecret, "this passphrase does not open the signing key \(path)", meaning: meaning,
        hint: "check the passphrase. If it is right, the file was changed: use your copy of it")
    case .anotherKey:
      self.init(
        .wrongSecret, "the signing key in \(path) does not match its public line", meaning: meaning,
        hint: "use your copy of the file")
    case .crypto(let error): self.init(describing: error)
    }
  }

  /// Why a checkpoint says nothing.
  init(_ problem: SignedCheckpoint.Problem) {
    let meaning = "it was ignored, so it says nothing about the vault's newest archive"
    switch problem {
    case .malformed: self.init(.usage, "not a checkpoint: it has no line \"fueki-checkpoint-1 …\"")
    case .notAuthentic:
      self.init(.untrusted, "the checkpoint's signature is not valid for its signer", meaning: meaning)
    case .untrusted:
      self.init(.untrusted, "the checkpoint is not signed by a trusted signer", meaning: meaning)
    }
  }
}

extension SignerList.Problem {
  /// The fault of a list of signers, in a few words.
  var sentence: String {
    switch self {
    case .noSigner(let line): "line \(line) names no signer"
    case .empty: "the list names no signer"
    }
  }
}
