internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

/// The options for restoring files of other programs, and for existing ones.
struct PlacingOptions {
  /// Whether to follow links that lead to the user's own folders.
  var followsLinks = false
  /// Whether to put files back even while their programs run.
  var ignoresRunning = false
  /// Whether to put files back that are no wallet's.
  var acceptsOwnFiles = false
  /// Whether to put files on a file system that keeps no permissions.
  var acceptsUnprotected = false

  /// Returns the request to restore files below a folder.
  ///
  /// - Parameters:
  ///   - files: `home`, or a folder.
  ///   - policy: the handling of existing files that differ.
  ///   - isMine: whether the archive is the user's.
  ///   - stamp: the start time.
  ///   - token: the beginning of its temporary names; nil for a unique one.
  /// - Returns: nil if no files are restored.
  /// - Throws: errors from opening the folder.
  func request(
    _ files: PlacingArgument, _ policy: PlacingPolicy, isMine: Bool, stamp: String = "",
    token: String? = nil
  ) throws -> PlacingRequest? {
    guard let root = try files.root else { return nil }
    let places = WalletsHere.places()
    var request = PlacingRequest(
      root: root, isMine: isMine, stamp: stamp, homeAnswers: { places.answer($0, $1) },
      holds: { HoldReason.reason(for: $0) },
      page: { $0.page(name: $1) })
    if let token { request.token = token }
    request.policy = policy
    request.followsLinks = followsLinks
    request.ignoresRunning = ignoresRunning
    request.own.isAccepted = acceptsOwnFiles
    request.unprotected = acceptsUnprotected ? .accept : UnprotectedQuestion.answer
    if let attendant = RestoreSandbox.current?.attendant { request.openPaths = attendant.openPaths }
    return request
  }
}

extension PlacingOptions {
  init(_ consents: Consents) {
    (followsLinks, ignoresRunning) = (consents.contains(.links), consents.contains(.running))
    acceptsOwnFiles = consents.contains(.ownFiles)
    acceptsUnprotected = consents.contains(.unprotected)
  }
}

extension PlacingPolicy {
  /// Reads the value of `--on-conflict` where files are meant.
  init(option: String) throws {
    guard let policy = PlacingPolicy(rawValue: option) else {
      throw ValidationError("--on-conflict is fail, rename or replace")
    }
    self = policy
  }
}

extension PlacingRequest {
  /// Adds what this machine and its user know about files that are no wallet's.
  mutating func learn(_ trust: TrustOptions, _ configuration: Configuration) {
    own.typedSigners = trust.typedSigners
    own.sources = configuration.chosenSources.filter { $0.kind != SourceSettings.nothing }.map {
      CurrentProcess.absolutePath(of: $0.path)
    }
  }
}

/// The value of `--files`.
enum PlacingArgument: ExpressibleByArgument, Equatable {
  case home
  case folder(String)
  case nowhere

  init?(argument: String) {
    switch argument {
    case "home": self = .home
    case "none": self = .nowhere
    case "": return nil
    default: self = .folder(HomePath.expanded(argument))
    }
  }

  /// The folder; nil if no files are restored.
  var root: PlaceRoot? {
    get throws {
      switch self {
      case .nowhere: return nil
      case .folder(let path): return .folder(path)
      case .home:
        guard let home = Environment.get("HOME"), home.hasPrefix("/") else {
          throw CommandError.usage("HOME is not set: use --files DIR")
        }
        return .home(home)
      }
    }
  }
}

/// Asks whether to put files on a file system that keeps no permissions.
enum UnprotectedQuestion {
  /// The answer if the user has not given `--accept unprotected`.
  static var answer: UnprotectedAnswer { Terminal.isAvailable ? .ask { try ask($0) } : .refuse }

  /// Whether the user was asked in this run and accepted.
  static var wasAccepted: Bool { Replay.words.contains(Consent.Kind.unprotected.rawValue) }

  private static func ask(_ path: String) throws -> Bool {
    Asking.say(["Careful: \(UnprotectedText.warning(path))."])
    let isAccepted = try Asking.yes("put the files there anyway", default: false)
    if isAccepted { Replay.note("--accept", Consent.Kind.unprotected.rawValue) }
    return isAccepted
  }
}

/// The limits of a file system without permissions, in words.
enum UnprotectedText {
  static let price =
    "anyone who has the disk, and any other user of this machine, can read and change the files on it"

  static func fact(_ path: String) -> String {
    "the file system of \(path) keeps no owner and no permissions, as exFAT and FAT do"
  }

  static func warning(_ path: String) -> String { "\(fact(path)): \(price)" }
}
