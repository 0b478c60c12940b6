internal import FuekiBackup
internal import FuekiWallet

/// The fate of each file, or its preview, as lines and as a document.
struct PlacingLines {
  private let plan: PlacePlan
  private let archive: String
  private let root: String
  private let isWritten: Bool

  init(_ plan: PlacePlan, archive: String, root: String, isWritten: Bool) {
    (self.plan, self.archive, self.root, self.isWritten) = (plan, archive, root, isWritten)
  }

  func print(_ console: Console) {
    for obstacle in plan.obstacles { console.warning("in the way: \(obstacle.sentence)") }
    for program in plan.running { console.warning("in use: \(program.sentence)") }
    for hint in plan.hints { console.note("  hint: \(hint)") }
    // A preview has not tried it out, and a question has already said it.
    if isWritten, plan.isUnprotected, !UnprotectedQuestion.wasAccepted {
      console.warning(UnprotectedText.warning(root))
    }
    for planned in plan.files {
      let who = planned.file.program.isEmpty ? planned.file.source : planned.file.program
      let what = "\(planned.path) (\(who), \(Readable.bytes(planned.file.byteCount)))"
      switch planned.fate {
      case .place where planned.isMerged, .replace where planned.isMerged:
        console.report("\(isWritten ? "merged" : "would be merged") with the record that is there: \(what)")
      case .place: console.report("\(isWritten ? "put back" : "would be put back"): \(what)")
      case .beside:
        console.report("\(isWritten ? "put beside" : "would be put beside") another file: \(what)")
      case .replace:
        console.report(
          "\(isWritten ? "replaced" : "would be replaced"), the old one kept next to it: \(what)")
      case .present: console.report("there already: \(what)")
      case .waits(let reason):
        console.line("LEFT IN THE ARCHIVE: \(what): \(planned.waitSentence ?? reason.sentence)")
      }
      if let refused = planned.refusedPath, planned.isThere {
        console.warning("\(planned.path) is the file \(refused): the file system does not accept that name")
      }
      for other in planned.unmergedWith {
        console.warning("\(planned.path) is not merged with \(other): they are of different networks")
      }
      if let hold = planned.hold, planned.isThere {
        console.warning(
          "\(planned.path) keeps this name until you rename it: \(hold.sentence). "
            + "Read \(planned.pagePath), or the last of that name with a number"
        )
      }
    }
    if plan.lacksSecrets {
      console.line("LEFT IN THE ARCHIVE: files with secrets, which this secret does not open")
    }
    if plan.files.isEmpty, !plan.lacksSecrets {
      console.report("the archive holds no files of other programs")
    }
  }

  var document: PlacingDocument {
    PlacingDocument(
      archive: archive, root: root, written: isWritten, complete: plan.isComplete,
      files: plan.files.map(PlacingDocument.Entry.init),
      obstacles: plan.obstacles.map(\.sentence) + plan.running.map(\.sentence))
  }
}

extension PlannedFile {
  /// Whether it is, or will be, below the root.
  var isThere: Bool { if case .waits = fate { false } else { true } }
}

/// `put-back --json`.
struct PlacingDocument: Encodable {
  let schema = "fueki.put-back/1"
  let archive: String
  let root: String
  let written: Bool
  let complete: Bool
  let files: [Entry]
  let obstacles: [String]

  /// A file, and what became of it.
  struct Entry: Encodable {
    let path: String
    let place: String?
    let section: String
    let source: String
    let program: String?
    let bytes: UInt64
    let fate: String
    let reason: String?
    let detail: String?
    let refusedPath: String?
    let hold: String?

    /// Creates the entry of a file that stays in the archive because its destination is undecided.
    init(waiting file: OriginalFile) {
      path = file.placeText
      place = file.placeText
      section = file.section.name
      source = file.source
      program = file.program.isEmpty ? nil : file.program
      bytes = file.byteCount
      (fate, reason, hold, detail, refusedPath) = ("waits", nil, nil, nil, nil)
    }

    init(_ planned: PlannedFile) {
      path = planned.path
      place = planned.file.place.map { String(decoding: $0, as: UTF8.self) }
      section = planned.file.section.name
      source = planned.file.source
      program = planned.file.program.isEmpty ? nil : planned.file.program
      bytes = planned.file.byteCount
      hold = planned.hold?.rawValue
      refusedPath = planned.refusedPath
      detail = planned.obstacle == nil && planned.users.isEmpty ? nil : planned.waitSentence
      switch planned.fate {
      case .place where planned.isMerged, .replace where planned.isMerged: (fate, reason) = ("merged", nil)
      case .place: (fate, reason) = ("placed", nil)
      case .present: (fate, reason) = ("present", nil)
      case .beside: (fate, reason) = ("beside", nil)
      case .replace: (fate, reason) = ("replaced", nil)
      case .waits(let why): (fate, reason) = ("waits", why.rawValue)
      }
    }
  }
}

/// How many files of other programs go back into a home, in words.
enum PlacedFileCount {
  static func text(_ count: UInt64) -> String {
    count == 1 ? "1 file of another program" : "\(count) files of other programs"
  }
}
