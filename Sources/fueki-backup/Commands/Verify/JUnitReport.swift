internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

/// A report that CI services read: one test case for each archive or vault.
struct JUnitReport {
  /// The outcome of a case that did not succeed.
  enum Fault {
    /// The check ran and failed; a word for the kind, a sentence, and further lines.
    case failure(String, message: String, detail: [String] = [])
    /// The subject of the check is missing.
    case error(String, message: String)
  }

  struct Case {
    /// The class, by which CI services group cases: a vault.
    let className: String
    let name: String
    var seconds: Double?
    var fault: Fault?
  }

  struct Suite {
    /// The name, such as the command.
    let name: String
    let cases: [Case]
  }

  let suites: [Suite]

  /// Returns the file of `junit=FILE`.
  static func path(_ option: String) throws -> String {
    guard option.hasPrefix("junit="), option.count > 6 else {
      throw CommandError.usage("--report takes junit=FILE, not \(option)")
    }
    return String(option.dropFirst(6))
  }

  /// Writes the report, and replaces an older one as a whole.
  func write(to path: String) throws {
    try OutputFile.write(text, to: path, existing: .replaced)
  }

  /// The file's text.
  var text: String {
    let lines =
      [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<testsuites \(Self.counts(suites.flatMap(\.cases)))>",
      ] + suites.flatMap(Self.element) + ["</testsuites>", ""]
    return lines.joined(separator: "\n")
  }

  private static func element(_ suite: Suite) -> [String] {
    let start = "<testsuite name=\"\(XMLText.escaped(suite.name))\" \(counts(suite.cases))>"
    return [start] + suite.cases.map(element) + ["</testsuite>"]
  }

  private static func counts(_ cases: [Case]) -> String {
    var (failures, errors) = (0, 0)
    for one in cases {
      switch one.fault {
      case .failure: failures += 1
      case .error: errors += 1
      case nil: break
      }
    }
    let seconds = text(cases.compactMap(\.seconds).reduce(0, +))
    return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" time=\"\(seconds)\""
  }

  private static func element(_ one: Case) -> String {
    let time = one.seconds.map { " time=\"\(text($0))\"" } ?? ""
    let start =
      "<testcase classname=\"\(XMLText.escaped(one.className))\" name=\"\(XMLText.escaped(one.name))\"\(time)"
    func fault(_ kind: String, _ type: String, _ message: String, _ detail: [String]) -> String {
      "\(start)><\(kind) type=\"\(type)\" message=\"\(XMLText.escaped(message))\">"
        + XMLText.escaped(detail.joined(separator: "\n")) + "</\(kind)></testcase>"
    }
    return switch one.fault {
    case .failure(let type, let message, let detail): fault("failure", type, message, detail)
    case .error(let type, let message): fault("error", type, message, [])
    case nil: start + "/>"
    }
  }

  private static func text(_ seconds: Double) -> String {
    let thousandths = Int((seconds * 1000).rounded())
    let digits = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }
}

extension JUnitReport {
  /// The report of a verification.
  ///
  /// - Parameters:
  ///   - results: the archives.
  ///   - depth: the depth of the verification.
  ///   - missing: a sentence about archives that are missing, which is a case of its own.
  ///   - gaps: sentences about gaps in a vault's history, each a case of its own.
  ///   - late: the vaults whose newest archive is too old, each a case of its own.
  ///   - vaults: the list of expected vaults, which has labels and owners; nil without a list.
  ///   - verdicts: the judgements by the list, each a case of its own.
  ///   - unjudged: the number of vaults in the list if none of them was judged, which is a case of its own.
  init(
    _ results: [VerificationResult], depth: VerificationDepth, missing: String?, gaps: [String],
    late: LateVaults?, vaults: VerifiedVaults? = nil, verdicts: [ExpectedVaults.Verdict] = [],
    unjudged: Int = 0
  ) {
    let other = "fueki-backup.verify"
    var cases = results.map { result in
      let expected = vaults?.expected(of: result)
      let label = expected?.label ?? ArchiveName.label(inName: PathParts(result.path).name)
      return Case(
        className: (vaults?.vault(of: result) ?? result.facts?.vaultID).map {
          Self.className($0, label?.text)
        }
          ?? other, name: result.path, seconds: result.seconds,
        fault: Self.fault(of: result, expected?.owner))
    }
    cases += gaps.map { gap in
      Case(className: other, name: "complete", fault: .failure("incomplete-lineage", message: gap))
    }
    for (vault, sentence) in zip(late?.vaults ?? [], late?.sentences ?? []) {
      cases.append(
        Case(
          className: Self.className(vault.id, vault.label?.text), name: "age",
          fault: .failure("late", message: sentence)))
    }
    if let missing {
      cases.append(Case(className: other, name: "archives", fault: .error("not-found", message: missing)))
    }
    // A vault fails because of its archives, whose failures are counted apart.
    let expected = verdicts.map(Self.expectedCase) + Self.unjudgedCases(unjudged)
    suites =
      [Suite(name: "fueki-backup verify --depth \(depth.rawValue): archives", cases: cases)]
      + (expected.isEmpty ? [] : [Suite(name: "fueki-backup verify --expected: vaults", cases: expected)])
  }

  private static func fault(of result: VerificationResult, _ owner: String?) -> Fault? {
    guard result.verdict != .intact else { return nil }
    let (verdict, detail) = (result.verdict.rawValue, VerifyLines.details(result))
    let isSaid = detail.first?.hasPrefix("\(verdict): ") ?? false
    return .failure(
      verdict, message: ((isSaid ? [] : [verdict]) + detail.prefix(1)).joined(separator: ": "),
      detail: detail + ownerLines(owner))
  }

  private static func ownerLines(_ owner: String?) -> [String] { owner.map { ["owner: \($0)"] } ?? [] }

  /// The case of a vault that a list of expected vaults judges.
  private static func expectedCase(_ verdict: ExpectedVaults.Verdict) -> Case {
    Case(
      className: "expected", name: className(verdict.vault, verdict.label?.text),
      fault: verdict.problems.isEmpty
        ? nil : .failure(verdict.word, message: verdict.why, detail: ownerLines(verdict.expected?.owner)))
  }

  /// The case of a list of which no vault was judged.
  private static func unjudgedCases(_ count: Int) -> [Case] {
    guard count > 0 else { return [] }
    let message = ExpectedSummary.unjudged(count)
    return [Case(className: "expected", name: "list", fault: .failure("not-judged", message: message))]
  }

  /// The report of a status: a case for each target and for each vault in it, or for each expected vault.
  init(_ report: StatusReport) {
    var cases = (report.expected ?? []).map(Self.expectedCase) + Self.unjudgedCases(report.unjudged)
    for target in report.expected == nil ? report.targets : report.troubled {
      cases.append(
        Case(
          className: target.path, name: "target", fault: Self.fault(report.sentences(target.problems))))
      cases += target.vaults.map { vault in
        let other = vault.otherMachine.map { ["another machine: \($0.statusSentence)"] } ?? []
        return Case(
          className: target.path, name: Self.className(vault.vault, vault.name),
          fault: Self.fault(report.sentences(vault.problems) + vault.missing.map { "missing: \($0)" } + other)
        )
      }
    }
    suites = [Suite(name: "fueki-backup status", cases: cases)]
  }

  private static func fault(_ sentences: [String]) -> Fault? {
    sentences.first.map { .failure("problem", message: $0, detail: sentences) }
  }

  /// A vault's label and its short id.
  private static func className(_ vault: VaultID, _ label: String?) -> String {
    let id = String(vault.hex.prefix(8))
    return label.map { "\($0) (\(id))" } ?? "vault \(id)"
  }
}
