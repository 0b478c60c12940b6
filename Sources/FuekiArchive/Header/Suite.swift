/// The algorithms of an archive.
public enum Suite: UInt16, Sendable {
  /// Blocks are stored plain or compressed.
  case rows = 1
  /// Blocks can also be compressed by columns.
  case columns = 3
}
