internal import CProcess
internal import Glibc

/// A pipe of which a child receives one end.
struct Pipe: ~Copyable {
  let reader: File
  let writer: File

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try systemCall("pipe2") { unsafe fueki_pipe(&ends) }
    reader = File(descriptor: ends[0], path: "pipe")
    writer = File(descriptor: ends[1], path: "pipe")
  }

  /// Makes room for a mebibyte, so that a program that writes a lot waits less.
  func widen() { fueki_widen_pipe(writer.descriptor) }

  /// Closes the writing end, so that reading ends with the child.
  consuming func closeWriter() -> File { reader }

  /// Closes the reading end, so that writing fails after the child's end.
  consuming func closeReader() -> File { writer }
}
