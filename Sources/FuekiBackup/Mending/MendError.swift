public import FuekiSystem

/// What keeps an archive from being mended, or recovery files from being made.
public enum MendError: Error, Equatable, Sendable {
  /// The program that makes and uses recovery files is not installed.
  case noProgram
  /// No recovery files lie beside the archive.
  case noParity(path: String)
  /// More is damaged than the recovery files can make good.
  case beyondParity(path: String, needed: Int, available: Int)
  /// The recovery files are damaged themselves, or another archive's.
  case parityUnusable(path: String)
  /// What they make is another archive, or none.
  case otherArchive(path: String)
  /// The archive lies on a remote.
  case onRemote(path: String)
  /// The program did not do its work.
  case programFailed(said: String)
  /// The system did not run `par2`, or not to its end.
  case system(SystemError)
  /// What the program writes is longer than the archive can be.
  case tooMuchWritten
}
