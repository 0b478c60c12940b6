/// Why a file that its program may be writing could not be copied.
public enum FileCopyingError: Error, Equatable, Sendable {
  /// It is an inconsistent database.
  ///
  /// Its own bytes are all there is.
  case damaged
  /// The process that copies it failed.
  ///
  /// Its bytes are kept without being read.
  case failed(ReaderError)
  /// Another reason, as a sentence for people.
  case refused(reason: String)
}
