internal import FuekiArchive
package import FuekiBackup
package import FuekiCrypto
package import FuekiSystem

/// An error of the command line itself.
package enum CommandError: Error, Equatable {
  case usage(String)
  case configuration(ConfigurationProblem)
  case noSecret(Secret)
  case secretUnreadable(source: String, reason: String)
  case othersCanRead(path: String)
  /// Another user can change a file, which would let that user do what `risk` describes.
  case othersCanChange(path: String, ForeignHand, risk: String)
  /// Another user can change a file with a secret that something would be sealed or signed with.
  case foreignSecret(path: String, ForeignHand)
  case weakPassphrase(time: String)
  case passphrasesDiffer
  case notVaultsPassphrase
  case noPassphrase(PassphraseProblem)
  case noPassphraseIn(path: String, PassphraseProblem)
  case signingKey(path: String, SigningKeyError)

  /// Which secret is missing.
  package enum Secret: String, CaseIterable {
    case archive = "the archive's passphrase"
    case identity = "an age identity that opens the archive"
    case shares = "the guardians' words that open the archive"
    case keychain = "what opens the wallet's keychain"
    case newArchive = "a new passphrase for the archive"
    case newKeychain = "a passphrase for the new machine's keychain"
    case signing = "the signing key's passphrase"
    case newSigning = "a passphrase for the new signing key"
    case source = "the passphrase of what is imported"
    case endpoint = "an endpoint's key"
  }
}

extension CommandError: Explained {
  var failure: Failure {
    switch self {
    case .usage(let message): .usage(message)
    case .configuration(let problem):
      Failure(
        .usage, problem.path + (problem.line.map { ", line \($0)" } ?? "") + ": \(problem.what)",
        meaning: "nothing was done", hint: problem.hint ?? "\(ConfigurationProblem.manual) lists every key")
    case .signingKey(let path, let error): error.failure(of: path)
    case .noSecret(let secret):
      Failure(
        .wrongSecret, "\(secret.rawValue) is needed, but there is no terminal to ask for it",
        meaning: "nothing was changed",
        hint: secret.hint)
    case .secretUnreadable(let source, let reason):
      Failure(
        .wrongSecret, "cannot read a secret from \(source): \(reason)", meaning: "nothing was changed",
        hint: "check its name, who may read it, and what is in it")
    case .othersCanRead(let path):
      Failure(
        .usage, "others can read \(path)", meaning: "a secret that others can read does not protect",
        hint: "chmod 600 \(ShellWord.quoted(path))")
    case .othersCanChange(let path, let hand, let risk):
      Failure(
        .usage, hand.sentence(path),
        meaning: "anyone who can change it can \(risk). Nothing was done",
        hint: hand.remedy)
    case .foreignSecret(let path, let hand):
      Failure(
        .usage, hand.sentence(path),
        meaning:
          "anyone who can change it decides what opens the next archive, or what signs. Nothing was done",
        hint: hand.remedy
          + ". On a disk without owners, or in a home of a group, --accept foreign-secret takes it")
    case .weakPassphrase(let time):
      Failure(
        .usage, "this passphrase can be guessed: it lasts \(time)", meaning: "nothing was written",
        hint:
          "choose a longer one, such as six random words. Without a file, an empty answer at the prompt makes one, and "
          + "--accept weak-passphrase accepts this one"
      )
    case .noPassphrase(let problem):
      Failure(
        .usage, "not a valid passphrase: \(problem.sentence)", meaning: "nothing was changed",
        hint: "a passphrase is 1 to 1024 bytes of text without NUL")
    case .noPassphraseIn(let path, let problem):
      Failure(
        .usage, "no passphrase is in \(path): \(problem.sentence)",
        meaning: "nothing was sealed or opened with it, and nothing was changed",
        hint: "write the passphrase into the file, on one line. Or leave the option out to be asked for it")
    case .passphrasesDiffer: Failure(.usage, "the two passphrases differ", meaning: "nothing was written")
    case .notVaultsPassphrase:
      Failure(
        .wrongSecret, "this passphrase does not open the vault's last archive",
        meaning:
          "the new archive would need a different passphrase from all the others. Nothing was written",
        hint:
          "use the vault's passphrase. To change it: fueki-backup key change-passphrase. To seal with this one anyway: --accept new-passphrase"
      )
    }
  }
}

extension CommandError.Secret {
  /// Where the secret can come from without a terminal.
  var hint: String {
    switch self {
    case .archive: "use --passphrase-from \(SecretPlace.forms), or another key"
    case .identity: "use --identity FILE"
    case .shares: "use --guardian-shares FILE..., with a file for each sheet"
    case .newArchive: "use --new-passphrase-from \(SecretPlace.forms)"
    case .keychain, .newKeychain:
      "use --keychain-passphrase-from \(SecretPlace.forms), or --keychain-key-file"
    case .signing: "use --signing-passphrase-from \(SecretPlace.forms)"
    case .source: "use --source-passphrase-from \(SecretPlace.forms)"
    case .newSigning:
      "use --signing-passphrase-from file:PATH, or leave the key unsealed with --no-passphrase"
    case .endpoint: "use --credential-from \(SecretPlace.forms)"
    }
  }
}

/// Nothing says where archives are, or where they go.
enum NoTarget {
  static func failure(_ command: String, _ configuration: Configuration) -> Failure {
    let isSetUp = configuration.path != nil
    return Failure(
      .usage, "\(command) needs a target: the folder or disk with the archives",
      meaning: isSetUp
        ? "the configuration names none. Nothing was done"
        : "this machine is not set up yet. Nothing was done",
      hint: "fueki-backup init sets up backups and asks for a folder. Or name one with --target DIR")
  }
}
