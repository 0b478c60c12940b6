import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// A program whose output is held back after its first lines, so that it waits in the middle of its work.
///
/// The pipe has room for a page of output, which must be much less than what the program prints.
enum HeldOutput {
  /// The event for which the program waits.
  enum Event {
    case interruption
    /// A file is removed.
    case removal(String)

    fileprivate var path: String {
      switch self {
      case .interruption: ""
      case .removal(let path): path
      }
    }
  }

  /// The number of copies whose lines fill the pipe several times.
  static let copies = 120

  static let isPossible = Typist.isPossible

  private static let script = """
    import fcntl, os, signal, subprocess, sys
    path, command = sys.argv[1], sys.argv[2:]
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    program = subprocess.Popen(command, stdout=writer)
    os.close(writer)
    shown = b""
    while shown.count(b"\\n") < 3:
        piece = os.read(reader, 256)
        if not piece: break
        shown += piece
    if path: os.remove(path)
    else: program.send_signal(signal.SIGINT)
    while piece := os.read(reader, 65536): shown += piece
    sys.stdout.buffer.write(shown)
    sys.exit(program.wait() % 256)
    """

  /// The program to run another one through, whose output is held back until the event has happened.
  static func through(_ event: Event) -> [String] { [Typist.python, "-c", script, event.path] }
}

extension Machine {
  /// Makes a folder of copies of the newest archive, with long names, so that few lines fill the pipe.
  func fill(_ folder: String) throws {
    try Directory.makePrivateDirectories(path(folder))
    let newest = try read(#require(archives().last))
    for number in 0..<HeldOutput.copies {
      try write(newest, to: "\(folder)/\(1000 + number)-\(String(repeating: "n", count: 100)).fueki")
    }
  }
}
