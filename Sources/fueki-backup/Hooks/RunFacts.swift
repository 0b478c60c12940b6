internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The facts of a run that its hooks receive.
///
/// None are secret.
final class RunFacts {
  /// The folders that the run looks at or writes to.
  var targets: [String] = []
  /// The vault's id.
  var vault: VaultID?
  /// The one archive that was made or looked at.
  private var archive: (path: String, digest: Digest?, sequence: UInt64?)?

  /// Notes the one archive that the run is about.
  func note(archive path: String, digest: Digest?, sequence: UInt64?) { archive = (path, digest, sequence) }

  /// The facts from the copy of this process that did the work, by the variables' names.
  private var adopted: [String: String] = [:]

  /// The facts as bytes, for the process that runs the hooks.
  func told(of command: String) -> [UInt8] {
    let values = variables(.finally, of: command, vaultName: nil, nil).filter { Self.isAboutArchives($0.key) }
    return Array(values.map { "\($0.key)=\($0.value)" }.joined(separator: "\0").utf8)
  }

  /// Takes over facts from the process that did the work.
  func adopt(_ told: [UInt8]) {
    for entry in told.split(separator: 0) {
      let name = String(decoding: entry.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      guard Self.isAboutArchives(name) else { continue }
      adopted[name] = String(decoding: entry.dropFirst(name.utf8.count + 1), as: UTF8.self)
    }
  }

  private static func isAboutArchives(_ name: String) -> Bool {
    switch Variable(rawValue: name) {
    case .targets, .vault, .archive, .archiveID, .sequence: true
    case .hook, .command, .status, .errorID, .vaultName, nil: false
    }
  }

  /// Every variable that a hook may get, so that none of them is an outer run's.
  private enum Variable: String, CaseIterable {
    case hook = "FUEKI_HOOK"
    case command = "FUEKI_COMMAND"
    case status = "FUEKI_STATUS"
    case errorID = "FUEKI_ERROR_ID"
    case targets = "FUEKI_TARGETS"
    case vault = "FUEKI_VAULT"
    case vaultName = "FUEKI_VAULT_NAME"
    case archive = "FUEKI_ARCHIVE"
    case archiveID = "FUEKI_ARCHIVE_ID"
    case sequence = "FUEKI_SEQUENCE"
  }

  /// Returns a hook's variables, in addition to this program's own environment.
  func variables(_ hook: Hook, of command: String, vaultName: String?, _ ending: RunEnding?) -> [String:
    String]
  {
    let values: [Variable: String?] = [
      .hook: hook.rawValue, .command: command,
      .status: ending.map { String($0.status) }, .errorID: ending.flatMap(\.errorID),
      .targets: targets.isEmpty ? nil : targets.map(CurrentProcess.absolutePath).joined(separator: "\n"),
      .vault: vault.map(\.hex), .vaultName: vaultName,
      .archive: archive.map { CurrentProcess.absolutePath(of: $0.path) },
      .archiveID: archive?.digest?.hex, .sequence: archive?.sequence.map(String.init),
    ]
    var variables = adopted
    for case (let variable, let value?) in values { variables[variable.rawValue] = value }
    return variables
  }

  /// Returns whether a variable is withheld from hooks: it leads to a secret, or belongs to an outer run.
  static func isWithheld(_ name: String) -> Bool {
    (name.hasPrefix("FUEKI_") && name.contains("PASSPHRASE")) || name == "CREDENTIALS_DIRECTORY"
      || Variable(rawValue: name) != nil
  }
}

/// How a run ended.
struct RunEnding {
  let status: Int32
  /// The error's name in JSON; nil for a success.
  let errorID: String?

  static let done = RunEnding(status: 0, errorID: nil)

  private init(status: Int32, errorID: String?) {
    self.status = status
    self.errorID = errorID
  }

  /// The ending that an error of the command makes.
  init(_ error: any Error) {
    let status = error as? ExitStatus ?? Failure(describing: error).status
    self.init(status: status.rawValue, errorID: status == .done ? nil : status.id)
  }
}
