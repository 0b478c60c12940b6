internal import CProcess

/// The C library's retention of freed memory.
public enum FreedMemory {
  private static let blockBytes: Int32 = 6 << 20
  private static let keptBytes: Int32 = 12 << 20

  /// Keeps freed blocks of up to 6 MiB for reuse.
  ///
  /// Archives pass through buffers of about 1 MiB. Otherwise the C library would return each to the kernel,
  /// which clears the pages of every new one.
  public static func keepForReuse() { fueki_keep_freed_memory(blockBytes, keptBytes) }
}
