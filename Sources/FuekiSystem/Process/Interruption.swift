internal import CProcess
internal import Glibc

/// The person's or the system's request that the program stop (SIGINT, SIGTERM, SIGHUP).
///
/// Every wait and every long loop looks at ``wasRequested``. After the first signal, calls that wait are interrupted
/// again and again, so that none of them outlasts it, and after 1.6 seconds the process is ended with status 130: its
/// children are killed and its unfinished files are removed.
public enum Interruption {
  /// Turns the first such signal into ``wasRequested``, while the next one ends the process at once, unless it is a SIGHUP.
  ///
  /// - Parameters:
  ///   - errors: what is written to standard error if the process has to be ended.
  ///   - output: what is written to standard output then.
  public static func install(lastWords errors: String = "", output: String = "") {
    for (stream, text) in [(StandardStream.output, output), (.error, errors)] {
      let bytes = text.utf8.map { CChar(bitPattern: $0) }
      unsafe fueki_set_last_words(stream.rawValue, bytes, bytes.count)
    }
    _ = fueki_catch_interruptions()
  }

  /// Whether a stop was requested; cheap enough for every turn of a loop.
  public static var wasRequested: Bool { fueki_interruption_was_requested() != 0 }

  /// Seconds since the first signal, in steps of a twentieth; 0 before it.
  package static var age: Double { Double(fueki_interruption_age()) / 1000 }

  /// How many seconds the cleanup after an interruption may wait for another program or a server.
  package static let cleanupSeconds = 1.2

  /// How many seconds a child has to end by itself before it is killed.
  package static let childGrace = 0.5

  /// Ends the process after an interruption, without waiting for its threads.
  ///
  /// A derivation that was abandoned still uses its library, which must not be unloaded. Children that a thread has not
  /// ended yet are killed.
  public static func endProcess(status: Int32) -> Never {
    fueki_end_children()
    _exit(status)
  }

  /// Requests a stop from inside the program.
  package static func request() { fueki_request_interruption() }
}

/// A file that is removed with the process if an interruption has to end that.
///
/// Every other way out removes it in the ordinary way.
package struct UnfinishedFile: ~Copyable {
  private let place: Int32

  /// - Parameters:
  ///   - name: the file's name.
  ///   - directory: the folder that it is in, which stays open as long as this value lives.
  package init(_ name: String, in directory: borrowing Directory) {
    let text = name.pathBytes.map { CChar(bitPattern: $0) } + [0]
    place = unsafe fueki_watch_file(directory.descriptor, text)
  }

  deinit { fueki_forget_file(place) }
}
