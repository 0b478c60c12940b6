internal import TOMLKit

/// A problem in a configuration, and its place.
package struct ConfigurationProblem: Equatable {
  let path: String
  var line: Int?
  let what: String
  var hint: String?

  /// The man page that describes the configuration.
  static let manual = "fueki-backup-config(5)"

  package init(path: String, line: Int? = nil, what: String, hint: String? = nil) {
    self.path = path
    self.line = line
    self.what = what
    self.hint = hint
  }
}
