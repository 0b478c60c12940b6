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
  case privateKeysToSynced(target: String)
  case noSecretGiven(depth: String)
  case comparisonFailed(String)
  case closedSlots([Int])
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
