internal import FuekiCrypto

/// A two-way connection to a plugin.
package protocol PluginChannel: AnyObject {
  /// Waits for bytes; returns 0 at the end of the output.
  func read(into buffer: inout MutableSpan<UInt8>) throws(PluginFailure.Fault) -> Int
  func write(_ bytes: Span<UInt8>) throws(PluginFailure.Fault)
  /// Returns how the plugin ended, after the end of its output.
  func finish() -> PluginFailure.Fault
}
