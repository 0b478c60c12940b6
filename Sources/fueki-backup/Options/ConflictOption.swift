internal import ArgumentParser
internal import FuekiBackup

extension ConflictPolicy {
  /// Reads the value of `--on-conflict`.
  init(option: String) throws {
    guard let policy = ConflictPolicy(rawValue: option) else {
      throw ValidationError("--on-conflict is fail, skip, newer, replace or rename")
    }
    self = policy
  }
}
