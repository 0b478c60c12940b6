internal import FuekiArchive

/// The steps of a recovery kit from a bare machine to the wallet, for a stranger, and optional checks.
struct KitSteps {
  private let facts: KitFacts

  init(_ facts: KitFacts) { self.facts = facts }

  /// The steps, with the program on the disk, the page that opens archives, or neither.
  var sections: [KitPage.Section] {
    guard let program = facts.program else { return fromSource }
    return program.page.map { withPage(program, $0) } ?? withProgram(program)
  }

  private var fromSource: [KitPage.Section] {
    [
      KitPage.Section(
        title: "Three steps that bring it back", place: .below,
        items: [
          .step(
            "Get the files that end with .fueki into one folder, from the disk or the service. \(newest)",
            commands: []),
          .step(
            "Get the program, fueki-backup\(source). From its source, on Debian 12 with Swift 6.3:",
            commands: [
              "./.ci/setup && swift build -c release --product fueki-backup",
              "sudo .build/release/fueki-backup install --prefix /usr/local",
            ]),
          .step(
            "Run fueki-backup restore. \(opening), then, for a Fueki wallet, for a new one for this machine\(files).",
            commands: []),
          check, commands,
        ])
    ]
  }

  private func withPage(_ program: KitFacts.Program, _ page: String) -> [KitPage.Section] {
    [
      KitPage.Section(
        title: "Three steps that open it on Windows, macOS or Linux", place: .below,
        items: [
          .step(
            "Plug the disk into a computer that is yours. In its folder \(program.folder) open a terminal (see "
              + "START-HERE.txt on the disk). Type the line for your system: its number must \(ends(page)). If not, stop:",
            commands: KitAdvice.digestCommands(of: ProgramBeside.page) + [page]),
          .step(
            "Double-click \(ProgramBeside.page), which a browser opens.",
            commands: []),
          .step(
            "Choose the newest archive and type what opens it. The page shows what is in it and saves the files. \(newest)",
            commands: []),
        ]),
      KitPage.Section(
        title: "To bring everything back, on Linux", place: .below,
        items: [
          .prose(
            "In the same folder, compare the program (it must \(ends(program.digest))), and run it. \(opening)\(files)."
          ),
          .commands(["sha256sum \(ProgramBeside.name)", program.digest, "./\(ProgramBeside.name)"]),
          .prose("With the whole program, fueki-backup\(source). \(names), \(code):"),
          .commands(["fueki-backup verify latest --target DIR\(signer)\(known)"]),
        ]),
    ]
  }

  private func withProgram(_ program: KitFacts.Program) -> [KitPage.Section] {
    [
      KitPage.Section(
        title: "Three steps that bring it back", place: .below,
        items: [
          .step(
            "Plug the disk into a computer with Linux that is yours. In its folder \(program.folder) open a terminal. "
              + "Type this: its number must \(ends(program.digest)). If not, stop:",
            commands: ["sha256sum \(ProgramBeside.name)", program.digest]),
          .step(
            "Run the program. If it says “Permission denied”, START-HERE.txt on the disk helps:",
            commands: ["./\(ProgramBeside.name)"]),
          .step(
            "Type the words. \(opening), then, for a Fueki wallet, for a new one for this machine\(files). \(newest)",
            commands: []),
        ]),
      KitPage.Section(
        title: "For an expert", place: .below,
        items: [.prose("With the whole program, fueki-backup\(source)"), check, commands]),
    ]
  }

  // MARK: parts of sentences

  private var signer: String { facts.signer == nil ? "" : " --trusted-signer SIGNER" }

  private var known: String { facts.checkpoint == nil ? " --known NEWEST" : " --checkpoint NEWEST" }

  private var names: String {
    signer.isEmpty
      ? "DIR is their folder" : "DIR is their folder, SIGNER the signer’s digits without spaces"
  }

  private var code: String {
    facts.checkpoint == nil ? "NEWEST the text of code 1" : "NEWEST a file with the text of code 1"
  }

  private var check: KitPage.Item { .prose("\(names), \(code). Leave out what you cannot type:") }

  private var commands: KitPage.Item {
    .commands([
      "fueki-backup list DIR", "fueki-backup verify latest --target DIR\(signer)\(known)",
      "fueki-backup restore latest --target DIR\(signer)",
    ])
  }

  private var source: String { facts.source.map { ": \($0)" } ?? ": ______________________________" }

  private var newest: String {
    "The newest has number \(facts.sequence) or a higher one: if not, archives are missing."
  }

  /// The sixteen digits that a person compares.
  private func ends(_ digest: String) -> String {
    "begin with \(digest.prefix(8)) and end with \(digest.suffix(8))"
  }

  /// The last question of `restore`, if the archive has files of other programs.
  private var files: String {
    guard let count = facts.placedFiles, count > 0 else { return "" }
    return ", and then whether \(PlacedFileCount.text(count)) \(count == 1 ? "goes" : "go") back into place"
  }

  /// The secrets that `restore` requests, and their alternatives.
  private var opening: String {
    let advice = Set(facts.slots.map(\.type)).sorted { $0.rawValue < $1.rawValue }.compactMap(\.advice)
    let hasPassphrase = advice.contains(where: \.asksForPassphrase)
    var options: Set<String> = []
    var ways: [String] = []
    for kind in advice {
      guard let option = kind.option, options.insert(option).inserted else { continue }
      let joint = kind.asksForPassphrase ? "with it " : hasPassphrase || !ways.isEmpty ? "or " : ""
      ways.append(joint + option)
    }
    let given = ways.joined(separator: ", ")
    guard hasPassphrase else { return "Use it with \(given). It asks for what is missing" }
    return "It asks for the passphrase" + (ways.isEmpty ? "" : " (\(given))")
  }
}
