internal import CProcess

/// The person's or the system's wish that the program stop (SIGINT, SIGTERM).
public enum Interruption {
  /// Turns the first such signal into ``wasRequested``; the next one ends the process at once.
  public static func install() { _ = fueki_catch_interruptions() }

  /// Whether a stop was asked for; cheap enough for every turn of a loop.
  public static var wasRequested: Bool { fueki_interruption_was_requested() != 0 }

  /// Asks for a stop from inside the program.
  public static func request() { fueki_request_interruption() }
}
