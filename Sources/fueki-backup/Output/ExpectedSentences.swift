internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiCrypto

extension ExpectedProblem {
  /// The problem in a sentence.
  var sentence: String {
    switch self {
    case .unreachable: "its target cannot be read"
    case .missing: "there is no whole archive of it"
    case .damaged(let sequence): "number \(sequence), its newest, is damaged or incomplete"
    case .forked(let sequence): "its history forks at number \(sequence)"
    case .unsigned(let sequence, nil): "number \(sequence) has no signature that holds"
    case .unsigned(let sequence, let signer?):
      "number \(sequence) is signed by another key, \(signer.fingerprint)"
    case .late(let age?): "its newest archive is \(Readable.age(age)) old"
    case .late(nil): "its newest archive is dated in the future"
    case .shrinking(let before, let now):
      "its newest full archive has \(Readable.bytes(now)), the one before had \(Readable.bytes(before))"
    case .withoutRecipient(let expected, let found):
      "its newest archive is sealed to \(Readable.count(found, "recipient")) instead of \(expected)"
    case .notDrilled(let age?): "its last drill that went well was \(Readable.age(age)) ago"
    case .notDrilled(nil): "this machine knows of no drill of it"
    case .foreign: "it is in a target, but not in the list"
    }
  }
}

/// The judgements on expected vaults, as a table for people.
struct ExpectedLines {
  let console: Console
  /// Seconds since 1970.
  let now: Int64
  let isProblemsOnly: Bool

  func print(_ verdicts: [ExpectedVaults.Verdict]) {
    let troubled = verdicts.filter { !$0.problems.isEmpty }
    let listed = verdicts.count { $0.expected != nil }
    if !console.isQuiet { console.line(summary(troubled, listed)) }
    var table = TextTable(["STATUS", "VAULT", "OWNER", "NEWEST", "CREATED", "WHY"])
    for verdict in isProblemsOnly || console.isQuiet ? troubled : verdicts {
      let newest = verdict.newest
      table.add([
        verdict.word, verdict.label.map { "\($0) (\(verdict.vault.hex.prefix(8)))" } ?? verdict.vault.hex,
        verdict.expected?.owner ?? "", newest.map { "number \($0.sequence)" } ?? "none",
        newest.map { Times.text($0.created) } ?? "never",
        verdict.problems.map { problem in
          problem == verdict.problems.first ? problem.sentence : "\(problem.word): \(problem.sentence)"
        }.joined(separator: "; "),
      ])
    }
    guard !table.isEmpty else { return }
    for line in table.lines(on: Screen(.output)) { console.line(line) }
  }

  /// The number of vaults by their status.
  private func summary(_ troubled: [ExpectedVaults.Verdict], _ listed: Int) -> String {
    guard !troubled.isEmpty else { return "All \(Readable.count(listed, "expected vault")): well." }
    let counts = Dictionary(grouping: troubled, by: \.word).mapValues(\.count)
    let words = ExpectedProblem.words.compactMap { word in counts[word].map { "\($0) \(word)" } }
    return "\(Readable.count(troubled.count, "vault")) of \(Readable.count(listed, "expected vault")) "
      + "to look at: \(words.joined(separator: ", "))."
  }
}
