internal import FuekiArchive
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem

/// A `[[vault]]`: how one vault's archives are made and checked.
struct VaultSettings {
  private var values: [String: ConfigurationFile.Value] = [:]
  private var file = ""
  /// The plugins' recipients that the configuration calls post-quantum.
  var postQuantum: Set<String> = []

  init() {}

  init(_ entry: ConfigurationFile.Entry, file: String) {
    values = entry.values
    self.file = file
  }

  func values(of key: String) -> String? { values[key]?.text }

  var name: ExactText? { values["name"]?.text.map(ExactText.init(_:)) }
  var id: VaultID? { values["id"]?.text.flatMap(VaultID.init(hex:)) }
  var label: String? { values["label"]?.text }
  var datadir: String? { path("datadir") }
  /// The sources, their paths as ``path(_:)`` has them.
  var from: [String]? { values["from"]?.texts?.map { SourceName.replacingPath(in: $0, located) } }
  var targets: [ExactText]? { values["targets"]?.texts?.map(ExactText.init(_:)) }
  var recipients: [String] { values["recipients"]?.texts ?? [] }
  var recipientsFile: String? { path("recipients_file") }
  var guardians: String? { path("guardians") }
  /// Whether public keys or guardians open its archives, so that sealing one needs no passphrase.
  var isSealedToKeys: Bool { !recipients.isEmpty || recipientsFile != nil || guardians != nil }
  var slotNames: [String] { values["slot_names"]?.texts ?? [] }
  var signKey: String? { path("sign_key") }
  var trustedSigners: [String] { values["trusted_signers"]?.texts ?? [] }
  var trustedSignersFile: String? { path("trusted_signers_file") }
  var kdfMemory: UInt32? { values["kdf_memory"]?.number.map(UInt32.init) }
  var kdfPasses: UInt32? { values["kdf_passes"]?.number.map(UInt32.init) }
  var passphraseFile: String? { path("passphrase_file") }
  var keychainKeyFile: String? { path("keychain_key_file") }
  var archiveEndpoints: [String] { values["archive_endpoints"]?.texts ?? [] }

  /// Returns the vault's id from the configuration, else from the store in a data directory; nil if neither has it.
  func id(ofStoreIn dataDirectory: String) -> VaultID? {
    if let id { return id }
    return try? WalletStore.vaultID(ofStoreIn: dataDirectory)
  }

  /// Returns a path, relative to the file's folder, with the user's home for `~/`.
  func path(_ key: String) -> String? {
    values[key]?.text.map(located)
  }

  private func located(_ text: String) -> String {
    let path = HomePath.expanded(text)
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return file[...slash] + path
  }
}

extension VaultSettings {
  /// The configured options of the vault's archives.
  var publicationOptions: PublicationOptions {
    var options = PublicationOptions()
    options.parity = parity
    options.history = fullEvery.map(HistoryChoice.whenDue(every:))
    options.guardiansStay = guardians == nil
    return options
  }
}
