internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// A risk that the user accepts with `--accept`.
struct Consent: Hashable {
  /// Every consent that a command may need.
  enum Kind: String, CaseIterable {
    case weakPassphrase = "weak-passphrase"
    case newPassphrase = "new-passphrase"
    case loss
    case newDisk = "new-disk"
    case syncedKeys = "synced-keys"
    case older
    case differences
    case hazard
    case archiveEndpoints = "archive-endpoints"
    case running = "running-programs"
    case links
    case ownFiles = "own-files"
    case unprotected
    case foreignSecret = "foreign-secret"

    /// The forms of the kind, with a name after an equals sign.
    fileprivate var form: String {
      switch self {
      case .loss: "loss[=NAME]"
      case .hazard: "hazard=NAME"
      default: rawValue
      }
    }

    /// The words that a shell completes.
    var words: [String] {
      self == .hazard ? WalletHazard.allCases.map { "hazard=\($0.rawValue)" } : [rawValue]
    }
  }

  let kind: Kind
  /// The thing that is gone, nil for everything that is; or the wallet's hazard.
  var name: String?
}

extension Consent: ExpressibleByArgument {
  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    guard let kind = Kind(rawValue: parts.first ?? "") else { return nil }
    let name = parts.count == 1 ? nil : parts[1]
    guard name != "" else { return nil }
    switch kind {
    case .loss: break
    case .hazard: guard name != nil else { return nil }
    default: guard name == nil else { return nil }
    }
    (self.kind, self.name) = (kind, name)
  }
}

/// The consents that a command may need.
protocol ConsentList {
  static var kinds: [Consent.Kind] { get }
}

extension ConsentList {
  /// The names, as the help lists them.
  static var names: String { kinds.map(\.form).joined(separator: ", ") }
}

/// `--accept`, for a command with these consents.
struct ConsentOptions<List: ConsentList>: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Accept a risk, more than once if needed: \(List.names).", valueName: "what", visibility: .more),
    completion: .list(List.kinds.flatMap(\.words)))
  var accept: [Consent] = []

  func validate() throws {
    guard let other = accept.first(where: { !List.kinds.contains($0.kind) }) else { return }
    throw ValidationError(
      "--accept \(other.kind.rawValue) is for other commands. This one has: \(List.names)")
  }

  /// The accepted risks, for code that several commands share.
  var consents: Consents { Consents(given: accept) }
}

/// The risks that the user has accepted.
struct Consents {
  var given: [Consent] = []

  func contains(_ kind: Consent.Kind) -> Bool { given.contains { $0.kind == kind } }

  mutating func insert(_ kind: Consent.Kind) { given.append(Consent(kind: kind)) }

  /// The hazards that are accepted.
  var hazards: Set<String> { Set(given.filter { $0.kind == .hazard }.compactMap(\.name)) }

  /// The things whose loss is accepted.
  var losses: LossAcceptance {
    let losses = given.filter { $0.kind == .loss }
    var acceptance = LossAcceptance()
    acceptance.coversAll = losses.contains { $0.name == nil }
    acceptance.coversNewDisk = contains(.newDisk)
    acceptance.names = Set(losses.compactMap { $0.name.map(ExactText.init(_:)) })
    return acceptance
  }
}

/// The consents of commands that make a passphrase.
enum PassphraseConsents: ConsentList {
  static var kinds: [Consent.Kind] { [.weakPassphrase] }
}

/// The consents of commands that add a key to an archive.
enum KeyConsents: ConsentList {
  static var kinds: [Consent.Kind] { [.weakPassphrase, .foreignSecret] }
}

/// The consents of commands that seal or sign with secrets that are there.
enum SealingConsents: ConsentList {
  static var kinds: [Consent.Kind] { [.foreignSecret] }
}

/// The consents of `create`.
enum CreateConsents: ConsentList {
  static var kinds: [Consent.Kind] {
    [.weakPassphrase, .newPassphrase, .loss, .newDisk, .syncedKeys, .foreignSecret]
  }
}

/// The consents of `copy`.
enum CopyConsents: ConsentList {
  static var kinds: [Consent.Kind] { [.syncedKeys] }
}

/// The consents of `restore`.
enum RestoreConsents: ConsentList {
  static var kinds: [Consent.Kind] {
    [
      .older, .differences, .hazard, .archiveEndpoints, .running, .links, .ownFiles, .unprotected,
      .weakPassphrase,
    ]
  }
}

/// The consents of `put-back`.
enum PlacingConsents: ConsentList {
  static var kinds: [Consent.Kind] { [.running, .links, .ownFiles, .unprotected] }
}

/// The consents of `resync`.
enum ResyncConsents: ConsentList {
  static var kinds: [Consent.Kind] { [.archiveEndpoints] }
}
