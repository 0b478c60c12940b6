internal import FoundationEssentials
internal import FuekiSystem

/// One run of rclone: its operation and its arguments.
///
/// rclone finds its configuration and its secrets by itself, and receives only paths from this program.
struct RcloneCommand {
  /// The operation, such as `lsjson`.
  let operation: String
  var options: [String] = []
  /// Its arguments, as rclone expects them.
  let places: [String]
  /// Its subject, for messages.
  let subject: RclonePath
  /// How many seconds it may say nothing.
  var patience = Self.deadline
  /// Whether the whole answer must be there in as many seconds: a server must not hold a run by sending little.
  private var isShort = false
  /// Additional environment variables, as `NAME=value`.
  var settings: [String] = []
  /// Whether a wish that this program stop ends it.
  var isInterruptible = true

  private static let program = "rclone"

  /// The longest time without an answer from a server, in seconds.
  static var deadline: Double { StallWatch.limit ?? 120 }

  init(_ operation: String, _ options: [String] = [], on subject: RclonePath) {
    self.init(operation, options, places: [subject.place], subject: subject)
  }

  init(_ operation: String, _ options: [String] = [], places: [String], subject: RclonePath) {
    self.operation = operation
    self.options = options
    self.places = places
    self.subject = subject
  }

  /// Runs it to its end.
  ///
  /// - Throws: `SystemError` with rclone's last message, with `isNotFound` if the subject does not exist and
  ///   `isNotPermitted` if the remote refuses; errors from the closures.
  func run(output: (Span<UInt8>) throws -> Void, idle: () throws -> Void = {}) throws {
    var child = ChildRun(
      executable: try executable, arguments: arguments, environment: environment, patience: patience)
    child.isInterruptible = isInterruptible
    if isShort { child.limit = patience }
    let outcome: ChildRun.Outcome
    var hasBegun = false
    do {
      outcome = try child.run(
        output: { bytes in
          hasBegun = true
          try output(bytes)
        }, idle: idle)
    } catch let error as SystemError where error.isTimedOut {
      throw failure(
        .timedOut,
        isShort && hasBegun
          ? "its answer has not ended after \(Int(patience)) seconds"
          : "it has not answered for \(Int(patience)) seconds")
    }
    guard outcome.ending != .exited(0) else { return }
    throw failure(outcome)
  }

  /// Starts it as a server.
  ///
  /// - Throws: errors from starting it.
  func serve() throws(SystemError) -> ServingChild {
    try ServingChild(
      executable: executable, arguments: arguments, environment: environment,
      log: RemoteCopies.directory().createUnnamedFile())
  }

  private var executable: String {
    get throws(SystemError) {
      guard let found = ChildRun.find(Self.program) else {
        throw failure(.notInstalled, "rclone is not installed (Debian's package is called rclone)")
      }
      return found
    }
  }

  private var arguments: [String] {
    let seconds = max(1, Int(Self.deadline))
    let common = [
      "--ask-password=false", "--log-level", "ERROR", "--stats", "0", "--retries", "1",
      "--low-level-retries", "3", "--contimeout", "\(min(30, seconds))s", "--timeout", "\(seconds)s",
    ]
    // The kind of server follows the operation's name.
    let words = operation == "serve" ? Array(options.prefix(1)) : []
    return [operation] + words + common + options.dropFirst(words.count) + ["--"] + places
  }

  /// The user's settings, except those that would hide the log, or come before these.
  private var environment: [[UInt8]] {
    let withheld = ["RCLONE_LOG_", "RCLONE_SYSLOG"] + settings.map { $0.prefix { $0 != "=" } + "=" }
    return Environment.all(withoutPrefix: "FUEKI_").filter { variable in
      !withheld.contains { variable.starts(with: $0.utf8) }
    } + settings.map { Array($0.utf8) }
  }

  /// Runs it to its end, which must come in time, and returns its output, at most `limit` bytes.
  func output(limit: Int = 1 << 28) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var short = self
    short.isShort = true
    do {
      try short.run { span in
        guard bytes.count + span.count <= limit else { throw failure(.tooLong, "it prints too much") }
        for index in span.indices { bytes.append(span[index]) }
      }
    } catch let error as SystemError {
      throw error
    } catch {
      throw failure(.failed, "what it prints could not be taken")
    }
    return bytes
  }

  /// Runs it to its end and reads the JSON document that it printed.
  func document<Document: Decodable>(_ type: Document.Type) throws(SystemError) -> Document {
    let bytes = try output()
    guard let document = try? JSONDecoder().decode(type, from: Data(bytes)) else {
      throw failure(.failed, "what rclone \(operation) prints cannot be read")
    }
    return document
  }

  // MARK: failures

  func failure(_ finding: SystemError.Finding, _ explanation: String) -> SystemError {
    SystemError(finding, call: "rclone \(operation)", path: subject.text, explanation: explanation)
  }

  private func failure(_ outcome: ChildRun.Outcome) -> SystemError {
    let log = RcloneLog(outcome.errors)
    // Statuses 3 and 4 are a folder and a file that are not there; a remote that is not set up has none of its own.
    let isMissing = outcome.ending == .exited(3) || outcome.ending == .exited(4) || log.lacksRemote
    let finding: SystemError.Finding =
      isMissing ? .notFound : log.refusal == nil ? .failed : .notPermitted
    let said = (isMissing ? nil : log.refusal) ?? log.last ?? "it \(outcome.ending.sentence)"
    return failure(finding, "rclone \(operation): \(said)")
  }
}

/// The description of a remote from `rclone backend features`.
struct RcloneFeatures: Decodable {
  /// The abilities of the remote's own server.
  struct Abilities: Decodable {
    let move: Bool?
    let copy: Bool?

    enum CodingKeys: String, CodingKey {
      case move = "Move"
      case copy = "Copy"
    }
  }

  /// The kinds of checksums that it has.
  let checksums: [String]?
  let abilities: Abilities?

  enum CodingKeys: String, CodingKey {
    case checksums = "Hashes"
    case abilities = "Features"
  }

  /// A file gets another name without its bytes going through this machine.
  var renames: Bool { abilities?.move ?? false || abilities?.copy ?? false }

  /// The kind of checksum that tells most.
  var bestChecksum: String? {
    let known = ["sha256", "sha1", "md5"]
    return known.first { checksums?.contains($0) ?? false } ?? checksums?.first
  }
}

/// The free space of a remote from `rclone about`.
struct RcloneRoom: Decodable {
  let free: UInt64?
}

/// The log of a failed rclone, entry by entry, without dates and times.
///
/// The last entry often only counts the failures (`Failed to delete with 2 errors`), and the reason precedes it.
struct RcloneLog {
  private let entries: [String]

  /// How servers say that they will not, in lower case and without what separates words: a number alone could be a port.
  private static let refusals = [
    "accessdenied", "permissiondenied", "operationnotpermitted", "forbidden", "statuscode:403", "error403",
    // MinIO has no status of its own for a locked version.
    "wormprotected",
  ]

  init(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    var entries: [Substring] = []
    var isDated = false
    for line in lines {
      let begins = line.first?.isNumber ?? false
      isDated = isDated || begins
      // An entry may go on over lines; what has no date at all is as many entries as lines.
      if begins || !isDated || entries.isEmpty {
        entries.append(line)
      } else {
        entries[entries.count - 1] += " " + line
      }
    }
    self.entries = entries.map { entry in
      guard entry.first?.isNumber ?? false else { return String(entry) }
      return String(entry.drop { $0.isNumber || "/: ".contains($0) })
    }
  }

  /// The last entry; nil if it is empty.
  var last: String? { entries.last.flatMap { $0.isEmpty ? nil : $0 } }

  /// The first entry that reports a refusal by the remote; nil if none does.
  var refusal: String? {
    entries.first { entry in
      let text = entry.lowercased().filter { !" _-".contains($0) }
      return Self.refusals.contains { text.contains($0) }
    }
  }

  /// Whether the remote is not set up.
  var lacksRemote: Bool { entries.contains { $0.contains("didn't find section in config file") } }
}

/// The description of a file or folder from `rclone lsjson`.
struct RcloneItem: Decodable, Sendable {
  let name: String
  /// The path below the listed folder; nil in the description of one file.
  let path: String?
  /// Negative where the remote does not say.
  let size: Int64
  let isFolder: Bool

  /// The path below the folder, or the only name.
  var below: String { path ?? name }

  enum CodingKeys: String, CodingKey {
    case name = "Name"
    case path = "Path"
    case size = "Size"
    case isFolder = "IsDir"
  }
}

/// The files of a folder, as rclone listed them.
struct RcloneListing {
  let files: [RcloneItem]
  /// Whether there are folders in it whose files were not listed.
  let hasUnlistedFolders: Bool

  /// For fewer files, a listing costs more than it saves.
  private static let fewFiles = 16

  /// Whether another listing costs less than to ask the remote about each of so many files.
  ///
  /// rclone's server lists folders with everything below them, and does not ask about listed files.
  func sparesRequests(for count: Int) -> Bool {
    !hasUnlistedFolders && count >= Self.fewFiles && 2 * count >= files.count
  }
}
