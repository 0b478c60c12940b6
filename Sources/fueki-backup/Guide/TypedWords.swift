internal import FuekiSystem

/// The words of a command as typed by the user, for a hint that repeats them.
enum TypedWords {
  /// The words after a command's name, whichever accepted name was typed: with long names for letters, and each
  /// consent as one word.
  static func after(_ command: String) -> [String] {
    let names = OtherNames.all(of: command)
    let words = CurrentProcess.arguments.dropFirst().drop { !names.contains($0) }.dropFirst()
    return ShortOption.spelledOut(Array(words)).reduce(into: []) { joined, word in
      guard joined.last == "--accept", let option = joined.popLast() else { return joined.append(word) }
      joined.append("\(option)=\(word)")
    }
  }
}
