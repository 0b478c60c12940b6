package import FuekiArchive

/// A plugin's recorded output.
///
/// It ignores all input.
package final class RecordedPlugin: PluginChannel {
  private var rest: ArraySlice<UInt8>

  package init(_ words: [UInt8]) { rest = words[...] }

  package func read(into buffer: inout MutableSpan<UInt8>) -> Int {
    let count = min(buffer.count, rest.count)
    for index in 0..<count { buffer[index] = rest[rest.startIndex + index] }
    rest = rest.dropFirst(count)
    return count
  }

  package func write(_: Span<UInt8>) {}
  package func finish() -> PluginFailure.Fault { .ended(nil, errors: "") }
}
