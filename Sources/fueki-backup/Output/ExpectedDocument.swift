internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A judgement by the list of expected vaults, in the documents of `status` and `verify`.
struct ExpectedDocument: Encodable {
  struct Problem: Encodable {
    let status: String
    let message: String
  }

  let status: String
  let vault: String
  let label: String?
  let owner: String?
  let target: String?
  let newest: String
  let id: String?
  let sequence: UInt64?
  let created: String?
  let age: Int64?
  let problems: [Problem]

  /// - Parameters:
  ///   - verdict: the judgement.
  ///   - now: seconds since 1970.
  init(_ verdict: ExpectedVaults.Verdict, now: Int64) {
    let newest = verdict.newest
    self.newest = verdict.standing.rawValue
    (status, vault, label) = (verdict.word, verdict.vault.hex, verdict.label?.text)
    owner = verdict.expected?.owner
    target = (newest?.target ?? verdict.expected?.target)?.text
    (id, sequence) = (newest?.digest.hex, newest?.sequence)
    created = newest.map { Times.text($0.created) }
    age = newest.map { now - Int64(clamping: $0.created) }
    problems = verdict.problems.map { Problem(status: $0.word, message: $0.sentence) }
  }
}
