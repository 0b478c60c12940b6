/// The algorithms of an archive.
public enum Suite: UInt16, Sendable {
  /// Blocks are stored as they are, or compressed.
  case rows = 1
  /// Blocks can also be compressed column by column.
  case columns = 3
}
