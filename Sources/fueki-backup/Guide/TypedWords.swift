internal import FuekiSystem

/// The words of a command as typed by the user, for a hint that repeats them.
enum TypedWords {
  /// The words after a command's name, with long names for letters, and whichever accepted name was typed.
  static func after(_ command: String) -> [String] {
    let names = OtherNames.all(of: command)
    let words = CurrentProcess.arguments.dropFirst().drop { !names.contains($0) }.dropFirst()
    return ShortOption.spelledOut(Array(words))
  }
}
