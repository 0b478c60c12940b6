internal import ArgumentParser

/// `key`: what opens an archive, and changes to it.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "List and change what opens an archive.",
    discussion:
      "A change makes the vault's next archive. Older archives keep their old keys. See fueki-backup-key(1).",
    subcommands: [
      KeyListCommand.self, KeyAddCommand.self, KeyRemoveCommand.self, KeyChangePassphraseCommand.self,
      KeyNewSigner.self, KeyNewIdentity.self, KeyTrustCommand.self, KeyRetireCommand.self,
      KeySignCommand.self,
    ])
}
