/// Whether a file may go to a place below a home directory.
public enum HomeAnswer: Equatable, Sendable {
  /// It may: the place or the name is a wallet's, or one of a document that no tool obeys.
  case open
  /// Its name is one of data, and tools take commands from files with such names: it may go to a new folder only.
  case newFolder
  /// It is no wallet's file: the user decides, and it may go to a new folder only.
  ///
  /// The folder is the place's first names, as many as stated.
  case own(folder: Int)
  /// It may not.
  case closed
}

/// The conditions under which a file goes into a home directory.
struct HomeClaim: Equatable, Sendable {
  /// How many of the place's first names lead to the folder that must be new.
  let folder: Int
  /// Whether it is no wallet's file, so that the archive must be proved and the user must agree.
  let isOwn: Bool
  /// Whether the run itself must make the folder, because nothing was there when the plan was made.
  var isFresh = false
}
