internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

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
