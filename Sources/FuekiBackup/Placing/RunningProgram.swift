/// A program that works with a place.
public struct RunningProgram: Hashable, Sendable {
  /// The program's name.
  public let name: String
  /// The process number; nil if known only from a lock file.
  public let processID: Int32?
  /// The file that it has open or locked.
  public let path: String

  /// A program, and how it is known.
  public init(name: String, processID: Int32?, path: String) {
    self.name = name
    self.processID = processID
    self.path = path
  }
}
