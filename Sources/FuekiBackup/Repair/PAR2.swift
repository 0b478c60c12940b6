internal import FuekiSystem

/// One run of `par2`: niced, without a shell, in a folder of its own.
struct PAR2 {
  private let folder: ParityFolder
  private let program: String
  private let deadline: Double
  private let mostBytes: UInt64

  static let name = "par2"

  /// The result of a run.
  struct Outcome {
    let status: Int32?
    /// The last that it printed.
    let output: String
    /// How many of the archive's blocks are whole, of how many.
    let found: (whole: Int, all: Int)?
    /// How many recovery blocks are here.
    let recovery: Int?
  }

  /// The paths of the programs that a run starts; nil if one is not installed.
  static var programs: [String]? {
    guard let program = ChildRun.find(name), let nice = ChildRun.find("nice") else { return nil }
    return [program, nice]
  }

  /// - Parameters:
  ///   - folder: has the archive and its recovery files, and no others.
  ///   - byteCount: of the archive; how long the run may take, and how much it may write, come of it.
  /// - Throws: ``MendError/noProgram``.
  init(in folder: ParityFolder, byteCount: UInt64) throws {
    guard let program = ChildRun.find(Self.name) else { throw MendError.noProgram }
    self.folder = folder
    self.program = program
    // Even an old machine computes this much in a second, with the most recovery blocks.
    deadline = 600 + Double(byteCount) / 50_000
    mostBytes = try folder.byteCount() + 2 * byteCount + (16 << 20)
  }

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - operation: `create`, `verify` or `repair`.
  ///   - options: come before the names.
  ///   - names: of files in the folder.
  ///   - progress: receives hundredths. An error that it throws ends the program.
  /// - Returns: its exit status and its output.
  /// - Throws: ``MendError/tooMuchWritten``, ``MendError/programFailed(said:)`` after the deadline, `SystemError`.
  func run(
    _ operation: String, _ options: [String] = [], on names: [String], progress: (Int) throws -> Void
  ) throws -> Outcome {
    let nice = ChildRun.find("nice")
    let arguments =
      [operation, "-B\(folder.path)"] + options + ["--"] + names.map { "\(folder.path)/\($0)" }
    var child = ChildRun(
      executable: nice ?? program, arguments: nice == nil ? arguments : ["-n", "19", program] + arguments,
      environment: [Array("LC_ALL=C".utf8), Array("PATH=/usr/bin:/bin".utf8)], patience: deadline)
    child.directory = folder.path
    let start = SystemClock.monotonicSeconds
    var output: [UInt8] = []
    var percent = 0
    let outcome: ChildRun.Outcome
    do {
      outcome = try child.run {
        output = $0.bytes(after: output)
        percent = Self.percent(in: output) ?? percent
        output = Self.shown(output).suffix(Self.outputKept)
        try progress(percent)
      } idle: {
        guard SystemClock.monotonicSeconds - start < deadline else { throw Self.late }
        guard try folder.byteCount() <= mostBytes else { throw MendError.tooMuchWritten }
        try progress(percent)
      }
    } catch let error as SystemError where error.isTimedOut {
      throw Self.late
    }
    return Outcome(outcome.ending, String(decoding: output, as: UTF8.self), errors: outcome.errors)
  }

  private static let outputKept = 16_384
  private static let late = MendError.programFailed(said: "it did not end in time")

  /// The output as a terminal shows it: a line that ends with a carriage return is written over.
  ///
  /// A long repair prints thousands of percentages, and what it found stands before them.
  private static func shown(_ output: [UInt8]) -> [UInt8] {
    var shown: [UInt8] = []
    var line = 0
    for byte in output {
      switch byte {
      case UInt8(ascii: "\r"): shown.removeSubrange(line...)
      case UInt8(ascii: "\n"):
        shown.append(byte)
        line = shown.count
      default: shown.append(byte)
      }
    }
    return shown
  }

  /// The last percentage that it printed.
  private static func percent(in output: [UInt8]) -> Int? {
    guard let sign = output.lastIndex(of: UInt8(ascii: "%")) else { return nil }
    let digits = output[..<sign].suffix(6).filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    // It prints one decimal.
    return min(100, (Int(String(decoding: digits, as: UTF8.self)) ?? 0) / 10)
  }
}

extension PAR2.Outcome {
  fileprivate init(_ ending: ChildEnding, _ text: String, errors: String) {
    if case .exited(let status) = ending { self.status = status } else { status = nil }
    let lines = text.split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
    found = lines.lazy.compactMap { line in
      Self.numbers(line, "You have ", " out of ", " data blocks available.")
    }.last.flatMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
    recovery =
      lines.lazy.compactMap { Self.numbers($0, "You have ", " recovery blocks available.") }.last?.first
    let last = errors.split(whereSeparator: \.isNewline).last ?? lines.last
    output = last.map(String.init) ?? "it \(ending.sentence)"
  }

  /// Returns the numbers between these texts, if the line has nothing else.
  private static func numbers(_ line: Substring, _ texts: String...) -> [Int]? {
    guard let first = texts.first, line.hasPrefix(first) else { return nil }
    var rest = line.dropFirst(first.count)
    var numbers: [Int] = []
    for text in texts.dropFirst() {
      let digits = rest.prefix { "0"..."9" ~= $0 }
      guard let number = Int(digits), rest.dropFirst(digits.count).hasPrefix(text) else { return nil }
      numbers.append(number)
      rest = rest.dropFirst(digits.count + text.count)
    }
    return rest.isEmpty ? numbers : nil
  }
}

extension Span<UInt8> {
  /// These bytes after earlier ones.
  fileprivate func bytes(after earlier: [UInt8]) -> [UInt8] {
    var bytes = earlier
    for index in indices { bytes.append(self[index]) }
    return bytes
  }
}

/// A private, empty folder for PAR2, removed at the end.
///
/// The names in recovery files are untrusted: in this folder they match none of the user's files.
public final class ParityFolder {
  /// The folder's path.
  public let path: String
  private let parent: Directory
  private let name: String

  /// Creates a folder in this machine's state, after removing one from a killed run.
  convenience init(in state: LockedState) throws {
    try self.init(in: state.directory.path, name: "mending")
  }

  /// Creates a folder for work that leaves nothing, separate from other runs.
  public convenience init() throws {
    let parent = CurrentProcess.absolutePath(of: Environment.get("TMPDIR") ?? "/var/tmp")
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    try self.init(in: parent, name: "fueki-mending-\(number)")
  }

  private init(in folder: String, name: String) throws {
    parent = try Directory.open(folder)
    path = "\(CurrentProcess.absolutePath(of: folder))/\(name)"
    self.name = name
    try Self.clear(name, in: parent)
    try parent.makeDirectory(name)
  }

  deinit { try? parent.removeTree(name) }

  /// Removes the leftovers of a killed run, whose child program may take a moment to notice.
  private static func clear(_ name: String, in parent: borrowing Directory) throws {
    for look in 1...20 {
      guard try parent.contains(name) else { return }
      do {
        return try parent.removeTree(name)
      } catch {
        guard look < 20, error.isAlreadyThere || error.isNotFound else { throw error }
        guard !Interruption.wasRequested else { throw Interrupted() }
        SystemClock.sleep(seconds: 0.1)
      }
    }
  }

  func open() throws -> Directory { try Directory.open(path) }

  /// Makes a file elsewhere readable here, under a name.
  func link(_ path: String, as name: String) throws {
    try open().makeSymbolicLink(name, to: CurrentProcess.absolutePath(of: path))
  }

  /// Removes all that is here.
  func empty() {
    guard let directory = try? open() else { return }
    for entry in (try? directory.list()) ?? [] { try? directory.removeTree(entry.name) }
  }

  /// Returns the recovery files here for an archive's name, with the index first.
  func parity(of archive: String) throws -> [ParityFile] { try ParityFile.all(in: open(), of: archive) }

  /// How many bytes the files here have.
  func byteCount() throws -> UInt64 {
    let directory = try open()
    var count: UInt64 = 0
    for entry in try directory.list() where entry.kind == .file {
      // One that is being renamed is counted next time.
      count += (try? directory.status(of: entry.name).size) ?? 0
    }
    return count
  }
}
