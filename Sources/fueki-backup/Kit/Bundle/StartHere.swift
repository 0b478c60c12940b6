internal import FuekiCrypto

/// The page next to the archives, for the finder of the disk: a description and three steps.
///
/// It does not identify the owner, because anyone who finds the disk can read it.
struct StartHere {
  static let textName = "START-HERE.txt"
  static let htmlName = "START-HERE.html"
  /// The entry for the pages in this machine's state, in place of a program's version.
  static let stateName = "start-here"

  private enum Part {
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
          "This disk holds encrypted backups of a wallet: the files that end with .fueki. No one can read them without the "
            + "passphrase or the words that open them. Do not delete anything here.")
      ] + Self.pageSteps(program) + Self.programSteps(program, bundled.digest) + [
        .prose(
          "If the program does not run: fueki-archive.5 in the same folder describes the files in full (man "
            + "./fueki-archive.5), and reader.py opens them with Python, pynacl and zstandard.")
      ]
  }

  /// The way through a browser; none if no page for one was bundled.
  private static func pageSteps(_ program: ProgramBeside) -> [Part] {
    guard let digest = program.pageDigest else { return [] }
    return [
      .prose(
        "A browser on Windows, macOS or Linux shows what is in a backup and saves the wallet's files. You need this "
          + "disk, and the passphrase or the words. The paper called “Recovery kit” says where they are and whom to call."
      ),
      .step(
        "Open a terminal in the folder \(program.folderName) of this disk. Type the line for your system:"),
    ] + KitAdvice.digestCommands(of: ProgramBeside.page).map(Part.type) + [
      .note("These are for Windows, macOS and Linux. " + compare("page")),
      .show(ends(digest)),
      .note(
        "If the paper has another number, stop: the page was changed. Open no other page from this disk."),
      .step("Double-click \(ProgramBeside.page) in that folder. It opens in a browser and needs no network."),
      .note("It does not work on an iPhone or iPad. On Android it may."),
      .step(
        "Choose the newest .fueki file on this disk, and type the passphrase or the words. The page changes nothing here."
      ),
    ]
  }

  private static func programSteps(_ program: ProgramBeside, _ digest: Digest) -> [Part] {
    [
      .prose(
        "To bring the wallet back you need this disk, the passphrase or the words, and a computer with Linux that is "
          + "yours (Debian 12 or newer, or another system as new). The paper called “Recovery kit” says where they are and "
          + "whom to call."),
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
      .prose(
        program.pageDigest == nil
          ? "Type the passphrase into nothing else: not into a web page, and not for anyone who offers help unasked."
          : "Type the passphrase into nothing else: not into a page on the network, and not for anyone who offers help "
            + "unasked."
      ),
    ]
  }

  private static func compare(_ what: String) -> String {
    "It must print the number on the Recovery kit. The number of this \(what) begins and ends like this:"
  }

  private static func ends(_ digest: Digest) -> String { "\(digest.hex.prefix(8))…\(digest.hex.suffix(8))" }

  var text: [UInt8] {
    var text = "START HERE\n\n"
    var number = 0
    for part in parts {
      switch part {
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
    let begin = "<body>\n<h1>Start here</h1>\n"
    return [UInt8]((head.text + begin + body + "</body>\n</html>\n").utf8)
  }

  private static let style = """
    body { font: 13pt/1.45 "Liberation Sans", Helvetica, Arial, sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em; color: #000; background: #fff; }
    .step { margin-top: 1.4em; font-weight: bold; }
    .step b { display: inline-block; width: 1.6em; }
    .note, pre { margin-left: 2em; }
    pre { border: 1px solid #000; padding: 0.4em 0.8em; white-space: pre-wrap; overflow-wrap: anywhere; }

    """
}
