internal import CProcess

/// A request by the user or the system to stop the program (SIGINT, SIGTERM).
public enum Interruption {
  /// Installs a handler by which the first signal sets ``wasRequested`` and the next ends the process.
  public static func install() { _ = fueki_catch_interruptions() }

  /// Whether a stop was requested.
  ///
  /// Cheap enough to check in every iteration of a loop.
  public static var wasRequested: Bool { fueki_interruption_was_requested() != 0 }

  /// Requests a stop from within the program.
  public static func request() { fueki_request_interruption() }
}
