public import FuekiCrypto

/// Answers a plugin's questions.
///
/// All of a plugin's text is untrusted.
public protocol PluginPerson: Sendable {
  /// Shows a message; false if it cannot be shown.
  func show(_ message: String, of program: String) -> Bool
  /// Asks for one of two answers; nil if unattended.
  func confirm(_ message: String, yes: String, no: String?, of program: String) -> Bool?
  /// Asks for a public value; nil if unattended.
  func answer(_ message: String, of program: String) -> String?
  /// Asks for a secret; nil if unattended.
  func secret(_ message: String, of program: String) -> SharedSecret?
}

/// Answers no question.
package struct NobodyToAsk: PluginPerson {
  package init() {}
  package func show(_: String, of _: String) -> Bool { false }
  package func confirm(_: String, yes _: String, no _: String?, of _: String) -> Bool? { nil }
  package func answer(_: String, of _: String) -> String? { nil }
  package func secret(_: String, of _: String) -> SharedSecret? { nil }
}
