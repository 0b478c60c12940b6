internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `list`: the archives of a target, newest first, with no secret.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the archives of a target, with no secret.")

  @Argument(help: ArgumentHelp("A folder that archives lie in.", valueName: "target"))
  var folder: String?
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let configuration = try settings.load()
    let named = folder.map { [Target(path: $0)] } ?? []
    let all = named + (named.isEmpty || !targets.target.isEmpty ? targets.targets(configuration) : [])
    guard !all.isEmpty else { throw CommandError.usage("list needs a target") }
    let entries = try all.flatMap { try $0.entries() }
    guard !output.json else { return Document.write(ListDocument(entries)) }
    for entry in entries { console.line(Self.line(entry)) }
    if entries.isEmpty { console.note("no archives here") }
  }

  private static func line(_ entry: TargetEntry) -> String {
    guard let archive = entry.archive else {
      return
        "\(padded(entry.state.rawValue, 14))  \(padded(Readable.bytes(entry.byteCount), 10))  \(entry.name)"
    }
    let state = entry.state == .complete ? "" : "  \(entry.state.rawValue)"
    return "\(archive.statedDigest.shortID)    \(Times.text(archive.facts.created))  "
      + "\(padded("\(archive.facts.sequence)", 6))  \(padded(Readable.bytes(entry.byteCount), 10))  "
      + "\(entry.name)\(state)"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// Times as people and scripts read them.
enum Times {
  /// Seconds since 1970 as UTC with `Z`.
  static func text(_ seconds: UInt64) -> String {
    let microseconds = Int64(clamping: min(seconds, 200_000_000_000)) * 1_000_000
    let text = Timestamp(microseconds: microseconds).text
    guard let dot = text.firstIndex(of: ".") else { return text }
    return text[..<dot] + "Z"
  }
}

/// `list --json`.
struct ListDocument: Encodable {
  struct Archive: Encodable {
    let path: String
    let id: String?
    let vault: String?
    let sequence: UInt64?
    let created: String?
    let bytes: UInt64
    let state: String
  }

  let schema = "fueki.list/1"
  let archives: [Archive]

  init(_ entries: [TargetEntry]) {
    archives = entries.map { entry in
      Archive(
        path: entry.path, id: entry.archive?.statedDigest.hex,
        vault: entry.archive.map { Hex.encode($0.facts.vaultID) }, sequence: entry.archive?.facts.sequence,
        created: entry.archive.map { Times.text($0.facts.created) }, bytes: entry.byteCount,
        state: entry.state.rawValue)
    }
  }
}
