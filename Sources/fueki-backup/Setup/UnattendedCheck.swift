internal import FuekiBackup
internal import FuekiStore

/// Checks whether `create` could run unattended, by trying the given secrets before anything is written.
struct UnattendedCheck {
  private enum Keychain {
    case none
    case opensWithKeyFile
    case opensWithPassphrase
    case nothingGiven
  }

  private let keychain: Keychain

  /// - Throws: ``KeychainError`` if the given secrets do not open the existing keychain.
  init(_ answers: SetupAnswers, keychain options: KeychainSecretOptions, _ console: Console) throws {
    guard answers.vaultID != nil, try FuekiStore.Keychain.currentStamp(in: answers.datadir) != nil else {
      keychain = .none
      return
    }
    guard let opening = try options.openingWithoutAsking(console, VaultSettings()) else {
      keychain = .nothingGiven
      return
    }
    _ = try FuekiStore.Keychain.read(answers.datadir, with: opening)
    keychain = options.keychainKeyFile == nil ? .opensWithPassphrase : .opensWithKeyFile
  }

  /// Returns the missing requirements of a timer.
  func needs(_ answers: SetupAnswers) -> [String] {
    var needs: [String] = []
    if !answers.needsNoPassphrase, answers.passphraseFile == nil {
      needs.append(
        "the archive's passphrase, as $CREDENTIALS_DIRECTORY/fueki-passphrase. Sealed to a --recipient, none is needed"
      )
    }
    switch keychain {
    case .none, .opensWithKeyFile: break
    case .opensWithPassphrase, .nothingGiven:
      needs.append(
        "what opens the wallet's keychain: its passphrase as $CREDENTIALS_DIRECTORY/fueki-keychain-passphrase, "
          + "or a --keychain-key-file")
    }
    if answers.signing?.isSealed ?? false {
      needs.append("the signing key's passphrase, as $CREDENTIALS_DIRECTORY/fueki-signing-passphrase")
    }
    return needs
  }
}

/// The last lines of `init`.
enum SetupLines {
  static func print(path: String, _ answers: SetupAnswers, needs: [String], _ console: Console) {
    console.report("wrote \(path)")
    if let signing = answers.signing {
      console.report("\(signing.isNew ? "made" : "took") the signing key \(signing.path). Its public line:")
      console.verbatim(signing.signer.line)
      console.report("older archives, which it did not sign, need --trusted-signer any")
    }
    if let file = answers.passphraseFile {
      console.report(
        "the archive's passphrase is stored in \(file), for create and the timer. Only you can read that file"
      )
      console.report("write it on paper too: after a fire it is the only thing that opens the archives")
    }
    for source in answers.sources { console.report("backs up \(source.kind):\(source.path)") }
    console.report("")
    console.report("next:")
    if answers.vaultID == nil, answers.sources.isEmpty {
      console.report("  fueki-backup import FILE    there is no wallet in \(answers.datadir) yet")
    }
    console.report("  fueki-backup create         the first archive")
    if answers.needsNoPassphrase, answers.passphraseFile == nil {
      // The secrets that open the archives may be on another machine.
      console.report(
        "  fueki-backup verify latest  reads every byte. Where the identity or the guardians' words are,")
      console.report("  fueki-backup drill          shows that they bring everything back")
    } else {
      console.report("  fueki-backup drill          practises a restore in memory, and compares every record")
      console.report("  fueki-backup kit print      makes a page for the safe")
    }
    if let signing = answers.signing {
      let publicFile = SigningKeyPlace.publicFile(of: signing.path)
      console.report("  keep a copy of \(signing.path) away from the archives,")
      console.report("  and \(publicFile) with everyone who verifies them")
    }
    guard !needs.isEmpty else { return console.report("create can run from a timer, unattended") }
    console.report(
      "to run unattended from a timer, create also needs (systemd's LoadCredential= delivers it):")
    for need in needs { console.report("  \(need)") }
  }
}
