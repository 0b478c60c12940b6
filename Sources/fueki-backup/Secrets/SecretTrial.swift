internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The secrets of unattended runs, tried on the newest archive of their vault.
///
/// A secret that does not open it would make every nightly backup fail unnoticed. Each file costs one key derivation,
/// whose result is not kept.
struct SecretTrial {
  /// A file with a secret.
  struct Place {
    enum Kind {
      case passphrase
      case identity
    }

    let kind: Kind
    let path: String
    let namedBy: String
    /// Whether only a service is handed it: another user may be the one who can read it.
    let isOfService: Bool
  }

  /// Why a file does not open an archive, and the status of a command that reads it.
  struct Fault {
    let sentence: String
    var status = ExitStatus.wrongSecret
    /// The advice for the fault itself; nil if the file needs other contents.
    var remedy: String?
  }

  /// The outcome for one file.
  struct Finding {
    let place: Place
    let archive: StoredArchive
    /// The fault; nil if the file opens the archive.
    let fault: Fault?

    /// The fault and its meaning, in a sentence.
    var problem: String? {
      fault.map { fault in
        let meaning =
          place.kind == .passphrase
          ? "the next backup that reads it makes no archive and ends with \(fault.status.rawValue)"
          : "a drill with it ends with \(fault.status.rawValue)"
        return "\(place.path) (\(place.namedBy)) \(fault.sentence): \(meaning)"
      }
    }

    /// The advice for it.
    var remedy: String { fault?.remedy ?? otherContents }

    private var otherContents: String {
      switch place.kind {
      case .passphrase:
        "write the passphrase of archive \(archive.statedDigest.shortID) into that file, as its only line, then: "
          + "chmod 600 \(ShellWord.quoted(place.path))"
      case .identity: "put the identity there that opens archive \(archive.statedDigest.shortID)"
      }
    }
  }

  /// The files of each vault, found before the run gives up its rights.
  struct Candidates {
    fileprivate let all: [(vault: VaultSettings, places: [Place])]

    init(_ configuration: Configuration) {
      let vaults = configuration.candidates.isEmpty ? [VaultSettings()] : configuration.candidates
      all = vaults.map { ($0, SecretTrial.places(of: $0, configuration)) }
    }

    /// Their paths.
    var paths: [String] { all.flatMap(\.places).map(\.path) }
  }

  let findings: [Finding]

  /// - Parameters:
  ///   - candidates: the files.
  ///   - configuration: names the vaults.
  ///   - archives: the user's archives in the targets.
  init(_ candidates: Candidates, _ configuration: Configuration, _ archives: [StoredArchive]) {
    let vaults = candidates.all
    let found = Set(archives.map(\.facts.vaultID))
    var findings: [Finding] = []
    for (vault, places) in vaults {
      // Only its archives identify a vault of other programs' wallets.
      let only = vaults.count == 1 && found.count == 1 ? found.first : nil
      let id = configuration.vaultID(of: vault) ?? only
      let newest = archives.filter { $0.facts.vaultID == id }
        .max { $0.facts.sequence < $1.facts.sequence }
      guard let newest else { continue }
      for place in places where Self.isNeeded(place, vault, newest) {
        findings.append(Finding(place: place, archive: newest, fault: Self.fault(of: place, newest)))
      }
    }
    self.findings = findings
  }

  /// Returns the problems of an archive's secrets, with the advice.
  func problems(of archive: StoredArchive) -> [String] {
    findings.filter { $0.archive.statedDigest == archive.statedDigest }.compactMap { finding in
      finding.problem.map { "\($0). To repair it, \(finding.remedy)" }
    }
  }

  fileprivate static func places(of vault: VaultSettings, _ configuration: Configuration) -> [Place] {
    var places: [Place] = []
    if let path = vault.passphraseFile {
      places.append(
        Place(
          kind: .passphrase, path: path, namedBy: "passphrase_file in \(configuration.path ?? "")",
          isOfService: false))
    }
    for credential in ServiceCredential.all() where credential.isFor(vault, configuration) {
      let kinds: [String: Place.Kind] = [
        ServiceCredential.passphrase: .passphrase, ServiceCredential.identity: .identity,
      ]
      guard let kind = kinds[credential.name] else { continue }
      places.append(
        Place(kind: kind, path: credential.path, namedBy: credential.namedBy, isOfService: true))
    }
    var seen: Set<String> = []
    return places.filter { place in
      // Another user's file is tried where that user runs "status".
      guard !place.isOfService || (try? File.open(place.path)) != nil else { return false }
      return seen.insert(CurrentProcess.absolutePath(of: place.path)).inserted
    }
  }

  /// Whether the archive, or the next one, is opened by a secret of this kind.
  private static func isNeeded(_ place: Place, _ vault: VaultSettings, _ archive: StoredArchive) -> Bool {
    switch place.kind {
    case .identity: return archive.slots.contains { $0.type.isNamedByKey }
    case .passphrase:
      guard archive.slots.contains(where: { $0.type == .passphrase }) else { return false }
      return !vault.isSealedToKeys || StoredPassphrase(at: place.path).exists
    }
  }

  private static func fault(of place: Place, _ archive: StoredArchive) -> Fault? {
    do {
      switch place.kind {
      case .identity:
        let identities = try IdentityFile.read(place.path)
        // A plugin would ask its user.
        guard identities.plugins.isEmpty else { return nil }
        let opens = try archive.opens(with: UnlockingSecrets(identities: identities.keys))
        return opens ? nil : doesNotOpen(archive)
      case .passphrase:
        let file = StoredPassphrase(at: place.path)
        guard file.exists else { return Fault(sentence: "is not there") }
        if try file.opens(archive, keyFiles: []) { return nil }
        // The next backup finishes an interrupted change of the passphrase.
        if !place.isOfService, (try? file.successorOpens(archive, keyFiles: [])) == true { return nil }
        return doesNotOpen(archive)
      }
    } catch {
      let failure = Failure(describing: error)
      return Fault(
        sentence: "cannot be used, because \(failure.message)", status: failure.status, remedy: failure.hint)
    }
  }

  private static func doesNotOpen(_ archive: StoredArchive) -> Fault {
    Fault(
      sentence:
        "does not open the newest archive, \(archive.statedDigest.shortID), number \(archive.facts.sequence)")
  }
}
