internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

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
