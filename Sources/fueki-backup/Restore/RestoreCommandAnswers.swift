internal import FuekiArchive
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem

extension RestoreCommand {
  /// Returns answers from the options, or else from the user.
  func answers(
    _ stored: StoredArchive, _ names: SlotNames, _ vault: VaultSettings, _ configuration: Configuration,
    _ console: Console
  ) -> RestoreAnswers {
    var answers = RestoreAnswers(
      // Every byte has already been read. A damaged archive has no such guarantee.
      archiveSecrets: { try secrets.unlocking(stored, names, isVerified: !salvage, console) },
      presentKeychain: { try keychain.opening(console, vault, of: try data.path(configuration)) },
      presentKeychainUnasked: { try keychain.openingWithoutAsking(console, vault) },
      newKeychain: { open in
        let rule = PassphraseRule(
          cost.cost(vault), allowsWeak: consents.contains(.weakPassphrase),
          names: KnownNames.of(vault) + open.knownNames())
        guard try open.decodedManifest()?.manifest.isOfSourcesAlone == true else {
          return try keychain.newSlots(console, rule, vault)
        }
        let given = try keychain.newSlotsWithoutAsking(console, rule, vault)
        if given == nil {
          console.note(
            "no keychain is made: the archive is of other programs' wallets, and their files hold the keys")
        }
        return given
      },
      hazards: { try HazardQuestion.confirm($0, consents, console) }, isOwnSigner: SignerAcceptance.asks)
    if !output.json {
      answers.files = { files in
        var request = try FilesQuestion.ask(files, placing, policy)
        request?.learn(trust, configuration)
        return request
      }
      answers.ownFiles = OwnFilesQuestion.ask
    }
    return answers
  }
}
