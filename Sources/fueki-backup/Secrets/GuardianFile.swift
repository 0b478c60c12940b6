internal import FuekiArchive
internal import FuekiCrypto

/// The public file that `guardians split` writes: one line, and comments, of which one names the vault.
enum GuardianFile {
  private static let vaultComment = "# vault "

  /// The file's text.
  static func text(of set: GuardianSet, vaultID: VaultID, made: String) -> String {
    """
    # The guardians of a wallet's backups: any \(set.threshold) of \(set.shareTags.count) shares open them.
    # This is no secret. It makes archives that the guardians can open:
    #   fueki-backup create --guardians FILE
    # made \(made) by \(Program.name)
    \(vaultComment)\(vaultID.hex)
    \(set.line)

    """
  }

  static func read(_ path: String) throws -> GuardianSet {
    let sets = try TextFile.trustedLines(at: path).filter { !$0.hasPrefix("#") }.compactMap(GuardianSet.init)
    guard sets.count == 1, let set = sets.first else {
      throw CommandError.usage("\(path) is not a guardians' file: it has no line \"fueki-guardians-1 …\"")
    }
    return set
  }

  /// Returns the vault that the guardians were made for; nil without the comment.
  static func vaultID(_ path: String) throws -> VaultID? {
    let comment = try TextFile.lines(at: path).first { $0.hasPrefix(vaultComment) }
    return try comment.map { try VaultName.read(String($0.dropFirst(vaultComment.utf8.count))) }
  }
}
