internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The files to put next to archives, so that they can be read without this machine.
struct BundleSources {
  /// The page for browsers, if it was built, the program that restores and does nothing else, its format's page and the
  /// reader in Python.
  let files: [InstalledFile]
  let version: String
  /// The digest of the program.
  let digest: Digest
  /// The digest of the page for browsers; nil without one.
  let pageDigest: Digest?

  private static let limit = 1 << 30
  private static let patience = 20.0

  /// Finds the given program, else the one below this one's prefix, and asks for its version.
  ///
  /// - Throws: ``CommandError`` if a file is missing, others can change the program, or it is another program.
  init(program given: String?) throws {
    let own = CurrentProcess.path ?? ""
    let prefix = PathParts(PathParts(own).folder).folder
    let program = given ?? "\(prefix)/lib/fueki-backup/\(ProgramBeside.name)"
    guard (try? File.openRegular(program)) != nil else {
      throw CommandError.usage(
        "\(program) is not there: the program that goes next to archives comes with the packages, or name it with --program"
      )
    }
    version = try Self.version(of: program)
    let places = [PathParts(program).folder, "\(prefix)/share/fueki-backup", "\(prefix)/share/man/man5"]
    let trees = InstalledFiles.foldersAbove(own) + ["."]
    let restore = InstalledFile(
      path: ProgramBeside.name, bytes: try TrustedFile.open(program).readAll(limit: Self.limit),
      permissions: 0o755)
    let page = try Self.browserPage(in: places)
    digest = restore.digest
    pageDigest = page?.digest
    files =
      [page, restore].compactMap(\.self) + [
        try Self.page("fueki-archive.5", in: places + trees.map { "\($0)/man" }),
        try Self.page("reader.py", in: places + trees.map { "\($0)/TestVectors" }),
      ]
  }

  /// Reads the page that opens archives in a browser; nil if it is in none of the folders.
  private static func browserPage(in folders: [String]) throws -> InstalledFile? {
    let paths = folders.map { "\($0)/\(ProgramBeside.page)" }
    guard let path = paths.first(where: { (try? File.openRegular($0)) != nil }) else { return nil }
    return InstalledFile(
      path: ProgramBeside.page, bytes: try TrustedFile.open(path).readAll(limit: limit), permissions: 0o644)
  }

  private static func page(_ name: String, in folders: [String]) throws -> InstalledFile {
    for folder in folders {
      guard let file = try? File.openRegular("\(folder)/\(name)") else { continue }
      return InstalledFile(path: name, bytes: try file.readAll(limit: limit), permissions: 0o644)
    }
    throw CommandError.usage("\(name) is not here: it belongs next to the program")
  }

  /// Returns the version of a program by running it here, without any of this process's environment.
  private static func version(of program: String) throws -> String {
    let run = ChildRun(executable: program, arguments: ["--version"], environment: [], patience: patience)
    var said: [UInt8] = []
    let refusal = CommandError.usage("\(program) is not the program that goes next to archives")
    do {
      _ = try run.run { bytes in
        for index in bytes.indices where said.count < 100 { said.append(bytes[index]) }
      }
    } catch let error as SystemError where !error.isInterrupted {
      throw refusal
    }
    let text = String(decoding: said, as: UTF8.self)
    guard let match = text.wholeMatch(of: #/fueki-restore (\d+\.\d+\.\d+)\n/#) else { throw refusal }
    return String(match.1)
  }

  /// The list of digests.
  ///
  /// Its first line states its purpose.
  var list: [UInt8] {
    [UInt8]((FileSignature.label + files.map { "\($0.digest.hex)  \($0.path)\n" }.joined()).utf8)
  }
}

/// The program that this run put next to archives, read back: every file of its folder is one of this run's.
///
/// Anyone who had the disk can have left folders of the same kind. The page refers to this one.
struct BundledProgram {
  /// A difference between the folder and this run's files.
  enum Difference: Error {
    case program
    case files
    case place

    /// The predicate of a sentence that begins with the folder.
    var words: String {
      switch self {
      case .program: "has another program of this version"
      case .files: "has other files than those that belong to this program"
      case .place: "is not a folder"
      }
    }
  }

  let program: ProgramBeside
  let digest: Digest

  private init(_ program: ProgramBeside, _ digest: Digest) {
    self.program = program
    self.digest = digest
  }

  /// Reads every file back and compares it with its source.
  static func read(from folder: String, _ sources: BundleSources) -> Result<BundledProgram, Difference> {
    let parts = PathParts(folder)
    let directory = try? Directory.open(parts.folder)
    guard let directory, (try? directory.status(of: parts.name).kind) == .directory else {
      return .failure(.place)
    }
    let program = ProgramBeside(folder, sources.version)
    guard program.fault == nil, program.digest == sources.digest else { return .failure(.program) }
    let known = Set(sources.files.map(\.path) + [ProgramBeside.list, ProgramBeside.signature])
    let names = ((try? Directory.open(folder).list()) ?? []).map { $0.text ?? "" }
    guard program.hasList(sources.list), Set(names).isSubset(of: known) else { return .failure(.files) }
    return .success(BundledProgram(program, sources.digest))
  }
}
