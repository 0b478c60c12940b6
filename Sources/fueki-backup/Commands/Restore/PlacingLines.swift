internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem
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

  /// `put-back --json`.
  var document: Members {
    [
      "schema": "fueki.put-back/1", "archive": archive, "root": root, "written": isWritten,
      "complete": plan.isComplete, "files": plan.files.map(\.document),
      "obstacles": plan.obstacles.map(\.sentence) + plan.running.map(\.sentence),
    ]
  }
}

extension PlannedFile {
  /// Whether it is, or will be, below the root.
  var isThere: Bool { if case .waits = fate { false } else { true } }

  /// The file in JSON, and what became of it.
  fileprivate var document: Members {
    let (word, reason): (String, String?) =
      switch fate {
      case .place where isMerged, .replace where isMerged: ("merged", nil)
      case .place: ("placed", nil)
      case .present: ("present", nil)
      case .beside: ("beside", nil)
      case .replace: ("replaced", nil)
      case .waits(let why): ("waits", why.rawValue)
      }
    return file.document + [
      "path": path, "place": file.place.map { String(decoding: $0, as: UTF8.self) }, "fate": word,
      "reason": reason, "detail": obstacle == nil && users.isEmpty ? nil : waitSentence,
      "refusedPath": refusedPath, "hold": hold?.rawValue,
    ]
  }
}

/// How many files of other programs go back into a home, in words.
enum PlacedFileCount {
  static func text(_ count: UInt64) -> String {
    count == 1 ? "1 file of another program" : "\(count) files of other programs"
  }
}

extension RestoredFiles {
  /// Prints the results for the files of other programs, and the waiting ones.
  func print(_ console: Console) {
    switch self {
    case .none: break
    case .placed(let plan, let root):
      PlacingLines(plan, archive: "", root: root, isWritten: true).print(console)
    case .stopped(let error, let files):
      let failure = Failure(describing: error)
      console.warning("no file of another program was put back: \(failure.message)")
      if let meaning = failure.meaning { console.line(meaning) }
      Self.print(files, console)
      if let hint = failure.hint { console.line(hint) }
    case .waiting(let files):
      Self.print(files, console)
      console.line("fueki-backup put-back puts them where their programs look for them")
    }
  }

  private static func print(_ files: [OriginalFile], _ console: Console) {
    for file in files.prefix(20) { console.line("LEFT IN THE ARCHIVE: \(file.placeText)") }
    if files.count > 20 { console.line("and \(files.count - 20) more files of other programs") }
  }
}

extension OriginalFile {
  /// Where it lay, for people.
  var placeText: String { PathText.text(place ?? path) }

  fileprivate var document: Members {
    [
      "section": section.name, "source": source, "program": program.isEmpty ? nil : program,
      "bytes": byteCount,
    ]
  }
}

extension RestoredFiles {
  /// The files of other programs, in `restore --json`; nil without any.
  var document: Members? {
    func left(_ files: [OriginalFile]) -> [Members] {
      files.map { $0.document + ["path": $0.placeText, "place": $0.placeText, "fate": "waits"] }
    }
    return switch self {
    case .none: nil
    case .placed(let plan, let root):
      ["state": "placed", "root": root, "files": plan.files.map(\.document)]
    case .waiting(let files): ["state": "waiting", "files": left(files)]
    case .stopped(let error, let files):
      ["state": "stopped", "reason": Failure(describing: error).message, "files": left(files)]
    }
  }
}

extension HoldReason {
  /// Returns the page next to the file, with instructions for its owner.
  func page(name: String) -> String {
    let what =
      switch self {
      case .channels:
        """
        This file holds Lightning channels as they were when the backup was made.
        If they moved since, a program that finds it can lose all the money in them: the other side may take it as a
        penalty for an old state.

        If the old machine still works, close the channels there and leave this file alone. Otherwise let the other side
        close them. The coins then come back to the addresses of the wallet's seed:

        Electrum: restore the wallet from its seed words under a new name. In the Channels tab, import each channel
        backup that you saved, and choose Request force-close. Without a channel backup, ask the other side to close.
        LND: set up a new node from its seed words, then: lncli restorechanbackup --multi_file channel.backup
        Core Lightning: start a new node with the old hsm_secret and emergency.recover, then: lightning-cli emergencyrecover

        Only if you know that the channels did not move since the backup, stop the program and rename the file.
        """
      case .channelBackup:
        """
        This is a static channel backup. Restoring it asks every peer to close its channel, and it does not know
        channels that were opened after the backup was made.

        First restore the node's wallet from its seed or hsm_secret, on one machine, with the old one off for good.
        If you have a newer static channel backup, use that one. Then rename the file, and restore it with the node's
        own command: lncli restorechanbackup --multi_file FILE, or lightning-cli emergencyrecover.
        """
      case .validatorKey:
        """
        This is the key of a validator. Two machines that sign with it are slashed.

        Make sure that the old machine is off and stays off, and that its slashing record (EIP-3076) is imported here.
        Wait until that record's age is certainly past, two epochs at least. Then import the key with the client's own
        command, or rename the file.
        """
      case .slashingRecord:
        """
        This is what a validator had signed when the backup was made. Later signatures are not in it.

        Import it with the client's own command, which merges it with the record that is there. Never put it in the
        place of a newer one.
        """
      }
    return """
      \(TerminalText.line(name)) was put here by fueki-backup under a name that its program does not look for.

      \(what)
      """ + "\n"
  }
}
