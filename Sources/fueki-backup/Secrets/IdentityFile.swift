internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// An age identity file: private keys, which go from the file straight into ``SecretBytes``, and plugins' identities.
enum IdentityFile {
  /// Plugins' identities by their file, so that a plugin is not asked twice for an archive.
  private static let plugins = Locked<[ExactText: [PluginIdentity]]>([:])

  /// Adds the identities of a file.
  static func add(_ path: String, to secrets: inout UnlockingSecrets) throws {
    let file = try read(path)
    secrets.identities += file.keys
    secrets.plugins += plugins.withLock { known in
      if let identities = known[ExactText(path)] { return identities }
      let identities = file.plugins.map { PluginIdentity($0, PluginQuestions.plugins) }
      known[ExactText(path)] = identities
      return identities
    }
  }

  static func read(_ path: String) throws -> AgeIdentityFile {
    let text = try PrivateText.read(path, as: "an identity file")
    do {
      return try AgeKey.identities(in: text)
    } catch {
      throw CommandError.secretUnreadable(source: path, reason: error.sentence)
    }
  }
}
