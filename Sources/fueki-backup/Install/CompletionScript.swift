/// The scripts by which shells complete the program's command line.
enum CompletionScript {
  /// The script with a first step that turns another program's name for a command into this program's own.
  ///
  /// The parser's scripts know each command by its own name alone. Fish finds the command in another way, and stays as
  /// it is.
  static func withOtherNames(_ script: String) -> String {
    let start = "\n_\(Offer.name)() {\n"
    guard let place = script.firstRange(of: start) else { return script }
    let isZsh = script.hasPrefix("#compdef")
    let word = isZsh ? "words[2]" : "COMP_WORDS[1]"
    let isBehind = isZsh ? "(( CURRENT > 2 ))" : "(( COMP_CWORD > 1 ))"
    let cases = OtherNames.table.map { "    \($0.other)) \(word)=\($0.own) ;;\n" }.joined()
    let step = "    \(isBehind) && case \"${\(word)}\" in\n\(cases)    esac\n"
    return "\(script[..<place.upperBound])\(step)\(script[place.upperBound...])"
  }
}
