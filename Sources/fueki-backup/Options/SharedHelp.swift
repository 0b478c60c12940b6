internal import ArgumentParser

/// The words of arguments that several commands declare.
extension ArgumentHelp {
  /// An archive that a command works on.
  static var archive: ArgumentHelp {
    ArgumentHelp("A path, a short id, or \"latest\".", valueName: "archive")
  }

  /// The signers that a command accepts or retires.
  static func signers(_ valueName: String) -> ArgumentHelp {
    ArgumentHelp("A signer's public key, its fueki-signer line, or a file of them.", valueName: valueName)
  }

  /// Sections that a command leaves out.
  static var exclude: ArgumentHelp {
    ArgumentHelp("Leave out these scopes or sections, separated by commas.", valueName: "sections")
  }

  /// The handling of records that differ.
  static var onConflict: ArgumentHelp {
    ArgumentHelp(
      "How to resolve records that differ: fail, skip, newer, replace or rename.",
      valueName: "rule")
  }

  /// A vault's newest archive that the user knows.
  static var known: ArgumentHelp {
    ArgumentHelp(
      "A vault's newest archive that you know, VAULT:SEQUENCE:DIGEST.", valueName: "known",
      visibility: .more)
  }

  /// The files of guardians' shares.
  static var guardianSheets: ArgumentHelp {
    ArgumentHelp("Sheets, or files with one share's words.", valueName: "file")
  }

  /// The guardians' public file.
  static var guardiansToCompare: ArgumentHelp {
    ArgumentHelp("The guardians' public file, to compare with.", valueName: "file")
  }

  /// The vault of the guardians.
  static var guardedVault: ArgumentHelp {
    ArgumentHelp("The vault, 32 hex digits, if the public file does not name it.", valueName: "hex")
  }

  /// A server's key in the keychain.
  static var credentialName: ArgumentHelp {
    "Its name, as credential_keychain in config.toml has it."
  }
}
