internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

extension ExpectedProblem {
  /// The problem in a sentence.
  var sentence: String {
    switch self {
    case .unreachable(let reason): "its target cannot be read: \(reason)"
    case .unread(let sequence): "number \(sequence), its newest, cannot be read"
    case .unreadFile(let error):
      "a file in its target, which may be its newest, cannot be read: \(error.sentence)"
    case .missing: "there is no whole archive of it"
    case .damaged(let sequence): "number \(sequence), its newest, is damaged"
    case .incomplete(let sequence): "number \(sequence), its newest, is incomplete"
    case .forked(let sequence): "its history forks at number \(sequence)"
    case .unsigned(let sequence, nil): "number \(sequence) has no signature that holds"
    case .unsigned(let sequence, let signer?):
      "number \(sequence) is signed by a key that the list does not have: \(signer.hex)"
    case .late(let age?, let limit):
      "its newest archive is \(Readable.age(age)) old, and the list allows \(Readable.age(Int64(limit)))"
    case .late(nil, _): "its newest archive is dated in the future"
    case .shrinking(let before, let now):
      "its newest full archive has \(Readable.bytes(now)), the one before had \(Readable.bytes(before))"
    case .withoutRecipient(let expected, let found):
      "its newest archive is sealed to \(Readable.count(found, "recipient")) instead of \(expected)"
    case .notDrilled(let age?) where age < 0: "its last drill that went well is dated in the future"
    case .notDrilled(let age?): "its last drill that went well was \(Readable.age(age)) ago"
    case .notDrilled(nil): "this machine knows of no drill of it"
    case .foreign: "it is in a target, but not in the list"
    }
  }
}

/// The judgements on expected vaults, as a table for people.
struct ExpectedLines {
  let console: Console
  let isProblemsOnly: Bool
  /// Whether the run read every byte of the archives.
  var readsAll = false

  /// Prints the numbers of vaults, and the vaults with problems; with `-v`, also those without.
  ///
  /// - Parameters:
  ///   - verdicts: the judgements.
  ///   - unjudged: the number of vaults in the list if none of them was judged.
  func print(_ verdicts: [ExpectedVaults.Verdict], unjudged: Int) {
    let troubled = verdicts.filter { !$0.problems.isEmpty }
    if !console.isQuiet { console.line(ExpectedSummary(verdicts, unjudged: unjudged).sentence) }
    var table = TextTable(["STATUS", "VAULT", "OWNER", "NEWEST", "CREATED", "WHY"])
    let folded = console.isVerbose ? [] : Self.folded(verdicts)
    for group in folded {
      table.add([
        "unreachable", "\(group.vaults) vaults", "", NewestStanding.unknown.sentence, "",
        "\(group.isSeveral ? "the targets in \(group.place)" : group.place) cannot be read: \(group.reason)",
      ])
    }
    let hidden = folded.reduce(into: Set<ExactText>()) { $0.formUnion($1.targets) }
    for verdict in console.isVerbose && !isProblemsOnly ? verdicts : troubled
    where !verdict.isUnreached || !hidden.contains(verdict.expected?.target ?? "") {
      let newest = verdict.newest
      table.add([
        verdict.word, verdict.label.map { "\($0) (\(verdict.vault.hex.prefix(8)))" } ?? verdict.vault.hex,
        verdict.expected?.owner ?? "", newest.map { "number \($0.sequence)" } ?? verdict.standing.sentence,
        newest.map { Times.text($0.created) } ?? "",
        verdict.why,
      ])
    }
    guard !table.isEmpty else { return }
    for line in table.lines(on: Screen(.output)) { console.line(line) }
    guard !console.isQuiet, !readsAll else { return }
    console.line(
      "Only the beginning and the end of each archive were read: fueki-backup verify reads all of it.")
  }

  /// The targets that cannot be read and have several vaults, without other knowledge of these.
  private static func folded(_ verdicts: [ExpectedVaults.Verdict]) -> [UnreadTargets] {
    var unread: [ExactText: String] = [:]
    for verdict in verdicts where verdict.isUnreached {
      guard let target = verdict.expected?.target,
        case .unreachable(let reason)? = verdict.problems.first
      else { continue }
      unread[target] = reason
    }
    let targets = verdicts.compactMap { $0.expected?.target }
    return UnreadTargets.groups(unread, targets: targets).filter { $0.vaults > 1 }
  }
}

extension NewestStanding {
  /// The text in a table without a newest archive that counts.
  var sentence: String {
    switch self {
    case .whole, .noneWhole: "none whole"
    case .unknown: "unknown"
    case .otherSigner: "signed by another key"
    case .unsigned: "unsigned"
    }
  }
}

extension ExpectedVaults.Verdict {
  /// Whether its target cannot be read, and nothing else is known.
  fileprivate var isUnreached: Bool {
    guard newest == nil, problems.count == 1, case .unreachable? = problems.first else { return false }
    return true
  }

  /// The problems in one line, the first without its word; empty if there are none.
  var why: String {
    problems.map { problem in
      problem == problems.first ? problem.sentence : "\(problem.word): \(problem.sentence)"
    }.joined(separator: "; ")
  }
}

/// The numbers of expected vaults with and without problems.
struct ExpectedSummary {
  /// The number of vaults in the list.
  let listed: Int
  /// The vaults of the list that have problems.
  let troubled: Int
  /// The vaults that are in a target, but not in the list.
  let foreign: Int
  /// The number of vaults with each word, by urgency.
  let counts: [(word: String, count: Int)]
  /// The number of vaults in the list if none of them was judged; otherwise 0.
  let unjudged: Int

  init(_ verdicts: [ExpectedVaults.Verdict], unjudged: Int) {
    self.unjudged = unjudged
    listed = verdicts.count { $0.expected != nil }
    troubled = verdicts.count { $0.expected != nil && !$0.problems.isEmpty }
    foreign = verdicts.count { $0.expected == nil }
    let byWord = Dictionary(grouping: verdicts, by: \.word).mapValues(\.count)
    counts = (ExpectedProblem.words + ["ok"]).compactMap { word in byWord[word].map { (word, $0) } }
  }

  /// A sentence about a list of which no vault was judged.
  static func unjudged(_ count: Int) -> String {
    count == 1
      ? "The target of the only vault in the list was not read, so it was not judged."
      : "The targets of all \(count) vaults in the list were not read, so no vault was judged."
  }

  /// The numbers in one or two sentences.
  var sentence: String {
    let kinds = counts.filter { $0.word != "ok" && $0.word != "foreign" }.map { "\($0.count) \($0.word)" }
    let expected =
      switch (listed, troubled) {
      case (0, _) where unjudged > 0: Self.unjudged(unjudged)
      case (1, 0): "The only expected vault is well."
      case (_, 0): "All \(listed) expected vaults are well."
      case (1, _): "The only expected vault has a problem: \(kinds.joined(separator: ", "))."
      case (_, 1): "1 of \(listed) expected vaults has a problem: \(kinds.joined(separator: ", "))."
      default: "\(troubled) of \(listed) expected vaults have problems: \(kinds.joined(separator: ", "))."
      }
    switch foreign {
    case 0: return expected
    case 1: return "\(expected) 1 vault is not in the list."
    default: return "\(expected) \(foreign) vaults are not in the list."
    }
  }
}

/// The part of the page of `status --html` about expected vaults: a table with urgent problems first.
///
/// Without its script the table is complete. With it, the table has a search field, and its headings sort.
struct ExpectedSection {
  let verdicts: [ExpectedVaults.Verdict]

  private static let columns = ["Vault", "Status", "Owner", "Newest archive"]

  /// The section's elements.
  var text: String {
    """
    <section aria-labelledby="expected">
    <h2 id="expected">Expected vaults</h2>
    <p class="tools" id="tools" hidden><label>Search <input id="find" type="search" autocomplete="off"></label> \
    <span id="found" role="status"></span></p>
    <table class="expected" id="vaults">
    <thead><tr>\(Self.columns.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>
    <tbody>
    \(verdicts.map(Self.row).joined(separator: "\n"))
    </tbody>
    </table>
    <script>\(Self.script)</script>
    </section>

    """
  }

  private static func row(_ verdict: ExpectedVaults.Verdict) -> String {
    let id = verdict.vault.hex.prefix(8)
    let name = verdict.label.map { "\(XMLText.escaped($0.text)) <small>\(id)</small>" } ?? "vault \(id)"
    let rank = verdict.problems.first?.rank ?? ExpectedProblem.words.count
    let style = verdict.problems.isEmpty ? "well" : "bad"
    let why = verdict.why.isEmpty ? "" : "<p>\(XMLText.escaped(verdict.why))</p>"
    let newest =
      verdict.newest.map { "number \($0.sequence), \(LocalTime.text($0.created))" }
      ?? verdict.standing.sentence
    return "<tr><th scope=\"row\">\(name)</th>"
      + "<td data-key=\"\(rank)\"><span class=\"\(style)\">\(verdict.word)</span>\(why)</td>"
      + "<td>\(XMLText.escaped(verdict.expected?.owner ?? ""))</td>"
      + "<td data-key=\"\(verdict.newest?.created ?? 0)\">\(XMLText.escaped(newest))</td></tr>"
  }

  /// Searches and sorts the table.
  ///
  /// It loads nothing and sends nothing. The page's policy allows no other script.
  private static let script = """
    (() => {
      const table = document.getElementById("vaults"), body = table.tBodies[0], found = document.getElementById("found");
      const rows = [...body.rows].map(row => ({row, text: row.textContent.toLowerCase()}));
      const order = new Intl.Collator("en", {numeric: true});
      const search = event => {
        const words = event.target.value.toLowerCase().split(/\\s+/);
        let count = 0;
        for (const {row, text} of rows) {
          row.hidden = !words.every(word => text.includes(word));
          if (!row.hidden) count += 1;
        }
        found.textContent = count + " of " + rows.length;
      };
      document.getElementById("find").addEventListener("input", search);
      const heads = [...table.tHead.rows[0].cells];
      heads.forEach((head, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => {
          const isUp = head.getAttribute("aria-sort") !== "ascending";
          for (const other of heads) other.removeAttribute("aria-sort");
          head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
          const key = ({row}) => row.cells[column].dataset.key ?? row.cells[column].textContent;
          rows.sort((a, b) => (isUp ? 1 : -1) * order.compare(key(a), key(b)));
          body.append(...rows.map(({row}) => row));
        });
      });
      document.getElementById("tools").hidden = false;
    })();
    """

  /// The SHA-256 digest of the script in base64, as a content security policy states it.
  static let scriptDigest = "P21IQOfrtlnKfIFuYT4YK+xZNxJ8UyX74RGrxHVONRw="
}

extension [ExpectedVaults.Verdict] {
  /// The judgements in the documents of `status` and `verify`, with ages at `now`, in seconds since 1970.
  func documents(problemsOnly: Bool = false, now: Int64) -> [Members] {
    filter { !problemsOnly || !$0.problems.isEmpty }.map { verdict in
      let newest = verdict.newest
      return [
        "status": verdict.word,
        "vault": verdict.vault.hex,
        "label": verdict.label?.text,
        "owner": verdict.expected?.owner,
        "target": (newest?.target ?? verdict.expected?.target)?.text,
        "newest": verdict.standing.rawValue,
        "id": newest?.digest.hex,
        "sequence": newest?.sequence,
        "created": newest.map { Times.text($0.created) },
        "age": newest.map { now - Int64(clamping: $0.created) },
        "problems": verdict.problems.map { ["status": $0.word, "message": $0.sentence] as Members },
      ]
    }
  }
}
