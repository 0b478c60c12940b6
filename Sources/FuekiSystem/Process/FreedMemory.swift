internal import CProcess

/// Memory that was freed, and is wanted again soon.
public enum FreedMemory {
  private static let blockBytes: Int32 = 6 << 20
  private static let keptBytes: Int32 = 12 << 20

  /// Keeps freed blocks of up to 6 MiB for the next ones.
  ///
  /// An archive passes through buffers of about 1 MiB. The C library would give each back to the kernel, which clears
  /// its pages when the next one is asked for.
  public static func keepForReuse() { fueki_keep_freed_memory(blockBytes, keptBytes) }
}
