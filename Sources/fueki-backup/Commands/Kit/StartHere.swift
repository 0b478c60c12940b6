internal import FuekiCrypto

/// The page next to the archives, for the finder of the disk: a description, and the steps of each way to open them.
///
/// It does not identify the owner, because anyone who finds the disk can read it.
struct StartHere {
  static let textName = "START-HERE.txt"
  static let htmlName = "START-HERE.html"
  /// The entry for the pages in this machine's state, in place of a program's version.
  static let stateName = "start-here"

  private enum Part {
    /// The name of a way, whose steps are numbered from 1.
    case heading(String)
    case prose(String)
    case step(String)
    case type(String)
    case show(String)
    case note(String)
  }

  private let parts: [Part]

  /// - Parameter bundled: the only program that the page leads to.
  init(_ bundled: BundledProgram) {
    let program = bundled.program
    parts =
      [
        .prose(
          "This disk holds encrypted backups of a wallet: the files that end with .fueki. They open only with the passphrase or "
            + "the words that belong to them. The paper called “Recovery kit” says where those are and whom to call. Do not "
            + "delete anything here."),
        .prose(
          "Type the passphrase or the words only into the page or the program that you have compared with the paper. Do not "
            + "type them into a page on the network, or for anyone who offers help unasked."),
      ] + Self.pageSteps(program) + Self.programSteps(program, bundled.digest) + [
        .heading("If neither works"),
        .prose(
          "fueki-archive.5 in the same folder describes the files in full (man ./fueki-archive.5), and reader.py opens them "
            + "with Python, pynacl and zstandard. A programmer can use both."),
      ]
  }

  /// The way through a browser; none if no page for one was bundled.
  private static func pageSteps(_ program: ProgramBeside) -> [Part] {
    guard let digest = program.pageDigest else { return [] }
    return [
      .heading("On Windows, macOS or Linux: with a browser"),
      .prose("A page shows what is in a backup, and saves the wallet's files."),
      .step("Open a terminal in the folder \(program.folderName) of this disk:"),
      .note("Windows: open the folder, click its address bar, type cmd, and press Enter."),
      .note("macOS: open Terminal, type cd and a space, drag the folder into its window, and press Return."),
      .note("Linux: open the folder, click into it with the right button, and choose Open in Terminal."),
      .step("Type the line for your system, without its name:"),
    ] + KitAdvice.digestCommands(of: ProgramBeside.page).map(Part.type) + [
      .note(compare("page")),
      .show(ends(digest)),
      .note(
        "If the paper has another number, stop: the page was changed. Open no other page from this disk."),
      .step("Double-click \(ProgramBeside.page) in that folder. It opens in a browser and needs no network."),
      .note("It does not work on an iPhone or iPad. On Android it may."),
      .step(
        "Choose the newest .fueki file on this disk, whose name has the latest date, and type the passphrase or the words. "
          + "The page changes nothing here."),
      .note(
        "The wallet's own program opens the files that the page saves. If you do not know that program, ask the person on "
          + "the paper."),
    ]
  }

  private static func programSteps(_ program: ProgramBeside, _ digest: Digest) -> [Part] {
    [
      .heading("On Linux: with the program, which brings the wallet back"),
      .prose(
        "You need a computer that is yours, with Debian 12 or newer, or another Linux as new."),
      .step("Plug the disk in, and open a terminal in its folder \(program.folderName). Type"),
      .type("sha256sum \(ProgramBeside.name)"),
      .note(compare("program")),
      .show(ends(digest)),
      .note("If the paper has another number, stop: the program was changed."),
      .note("Start no other program from this disk, whatever it is called and however new it is."),
      .step("Start it:"),
      .type("./\(ProgramBeside.name)"),
      .note("If it says “Permission denied”, copy the program into your home folder and start it there:"),
      .type("cp \(ProgramBeside.name) ~/ && chmod +x ~/\(ProgramBeside.name) && ~/\(ProgramBeside.name)"),
      .step(
        "It finds the archives, lists them, and asks for the passphrase or the words. Type them. It changes "
          + "nothing on this disk, and reports what came back and where it is."),
    ]
  }

  private static func compare(_ what: String) -> String {
    "It must print the number on the Recovery kit, which is made of digits and letters. The number of this \(what) begins "
      + "and ends like this:"
  }

  private static func ends(_ digest: Digest) -> String { "\(digest.hex.prefix(8))…\(digest.hex.suffix(8))" }

  var text: [UInt8] {
    var text = "START HERE\n\n"
    var number = 0
    for part in parts {
      switch part {
      case .heading(let words):
        number = 0
        text += "\(words.uppercased())\n\n"
      case .prose(let words): text += Self.wrapped(words, first: "", "") + "\n"
      case .step(let words):
        number += 1
        text += Self.wrapped(words, first: "\(number). ", "   ") + "\n"
      case .note(let words): text += Self.wrapped(words, first: "   ", "   ") + "\n"
      case .type(let words), .show(let words): text += "       \(words)\n\n"
      }
    }
    return [UInt8](text.utf8)
  }

  private static func wrapped(_ text: String, first: String, _ indent: String) -> String {
    let lines = LineBreaks.lines(of: text, width: 78, first: first, indent: indent)
    return lines.joined(separator: "\n") + "\n"
  }

  var html: [UInt8] {
    var body = ""
    var number = 0
    for part in parts {
      switch part {
      case .heading(let words):
        number = 0
        body += "<h2>\(XMLText.escaped(words))</h2>\n"
      case .prose(let words): body += "<p>\(XMLText.escaped(words))</p>\n"
      case .step(let words):
        number += 1
        body += "<p class=\"step\"><b>\(number)</b> \(XMLText.escaped(words))</p>\n"
      case .note(let words): body += "<p class=\"note\">\(XMLText.escaped(words))</p>\n"
      case .type(let words): body += "<pre>\(XMLText.escaped(words))</pre>\n"
      case .show(let words): body += "<p class=\"note\"><code>\(XMLText.escaped(words))</code></p>\n"
      }
    }
    let head = HTMLHead(
      title: "Start here", style: Self.style, viewport: "width=device-width", hidesReferrer: false)
    let begin = "<body>\n<main>\n<h1>Start here</h1>\n"
    return [UInt8]((head.text + begin + body + "</main>\n</body>\n</html>\n").utf8)
  }

  private static let style = """
    body { font: 13pt/1.45 "Liberation Sans", Helvetica, Arial, sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em; color: #000; background: #fff; }
    h2 { font-size: 1.15em; margin-top: 2em; }
    .step { margin-top: 1.4em; font-weight: bold; }
    .step b { display: inline-block; width: 1.6em; }
    .note, pre { margin-left: 2em; }
    pre { border: 1px solid #000; padding: 0.4em 0.8em; white-space: pre-wrap; overflow-wrap: anywhere; }

    """
}
