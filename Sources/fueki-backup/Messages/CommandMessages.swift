internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

extension Failure {
  /// What the command line itself finds wrong.
  init(_ error: CommandError) {
    switch error {
    case .usage(let message): self = .usage(message)
    case .configuration(let problem):
      self.init(
        .usage, problem.path + (problem.line.map { ", line \($0)" } ?? "") + ": \(problem.what)",
        meaning: "nothing was done", hint: problem.hint ?? "fueki-backup-config(5) lists every key")
    case .signingKey(let path, let error): self.init(signingKey: path, error)
    case .noSecret(let secret):
      self.init(
        .wrongSecret, "\(secret.rawValue) is needed, and there is no terminal to ask on",
        meaning: "nothing was changed",
        hint: secret.hint)
    case .secretUnreadable(let source, let reason):
      self.init(.wrongSecret, "no secret came from \(source): \(reason)", meaning: "nothing was changed")
    case .othersCanRead(let path):
      self.init(
        .usage, "others can read \(path)", meaning: "a secret that others can read protects nothing",
        hint: "chmod 600 \(path)")
    case .othersCanChange(let path, let hand):
      self.init(
        .usage, hand.sentence(path),
        meaning: "who can change it can add a key of their own; nothing was done",
        hint: hand.remedy)
    case .weakPassphrase(let time):
      self.init(
        .usage, "this passphrase can be guessed: it lasts \(time)", meaning: "nothing was written",
        hint: "answer the prompt with nothing to have one made, or insist with --allow-weak-passphrase")
    case .noPassphrase(let problem):
      self.init(
        .usage, "this is no passphrase: \(problem.sentence)", meaning: "nothing was changed",
        hint: "a passphrase has 1 to 1024 bytes of text, without NUL")
    case .passphrasesDiffer: self.init(.usage, "the two passphrases differ", meaning: "nothing was written")
    case .notVaultsPassphrase:
      self.init(
        .wrongSecret, "the vault's last archive does not open with this passphrase",
        meaning:
          "an archive sealed with it would need another passphrase than all others; nothing was written",
        hint: "fueki-backup key change-passphrase changes it; --accept-new-passphrase seals with this one")
    case .privateKeysToSynced(let target):
      self.init(
        .usage, "private keys would leave for \(target), which counts as a synced folder",
        meaning: "whoever reads that folder and guesses the passphrase would have the money",
        hint: "insist with --private-keys-to-synced")
    case .closedSlots(let numbers):
      self.init(
        .wrongSecret,
        "nothing that was given opens slot \(numbers.map { "\($0)" }.joined(separator: ", ")), so it cannot be sealed anew",
        meaning: "whoever opens the vault with it could not open the next archive; nothing was written",
        hint: "give its secret too, or --keep N=age1… (or the guardians' file), or give it up with --drop N")
    case .noSecretGiven(let depth): self = .usage("--depth \(depth) needs a secret that opens the archive")
    case .comparisonFailed(let what): self.init(.differs, what)
    }
  }
}

extension CommandError.Secret {
  /// Where the secret can come from without a terminal.
  var hint: String {
    switch self {
    case .archive: "give --passphrase-file, --passphrase-command, --passphrase-fd, or another key"
    case .newArchive: "give --new-passphrase-file, --new-passphrase-command or --new-passphrase-fd"
    case .keychain, .newKeychain:
      "give --keychain-passphrase-file, --keychain-passphrase-command or --keychain-key-file"
    case .signing: "give --signing-passphrase-file, --signing-passphrase-command or --signing-passphrase-fd"
    case .source: "give --source-passphrase-file, --source-passphrase-command or --source-passphrase-fd"
    case .newSigning: "give --signing-passphrase-file, or leave the key unsealed with --no-passphrase"
    case .endpoint: "give --credential-file, --credential-command or --credential-fd"
    }
  }
}
