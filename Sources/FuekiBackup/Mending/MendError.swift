public import FuekiSystem

/// An error that prevents a repair or the creation of recovery files.
public enum MendError: Error, Equatable, Sendable {
  /// The program that makes and uses recovery files is not installed.
  case noProgram
  /// The archive has no recovery files next to it.
  case noParity(path: String)
  /// More is damaged than the recovery files can make good.
  case beyondParity(path: String, needed: Int, available: Int)
  /// The recovery files are damaged themselves, or another archive's.
  case parityUnusable(path: String)
  /// They produce another archive, or none.
  case otherArchive(path: String)
  /// The archive is on a remote.
  case onRemote(path: String)
  /// The program did not do its work.
  case programFailed(said: String)
  /// The system did not run `par2`, or not to its end.
  case system(SystemError)
  /// The program's output exceeds the possible size of the archive.
  case tooMuchWritten
}
