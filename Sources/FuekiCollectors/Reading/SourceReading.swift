internal import FoundationEssentials
internal import FuekiSources
internal import FuekiSystem
internal import FuekiWallet

/// The one reader of all kinds' files.
///
/// A kind looks at one file and says what it is. Everything else is here: which files there are, which are destroyed or
/// too long, how much work they may ask for, how they are kept, and which are found twice. In a backup every file at
/// the path is in the archive, or is named with the reason.
struct SourceReading {
  let source: KindSource
  let request: CollectionRequest

  private var kind: CollectorKind { source.kind }

  /// Reads the files.
  ///
  /// Each is read again in parts when it is written to the archive.
  func read() throws -> ImportedRecords {
    do {
      return try readAll()
    } catch let refusal as AskedPassword.Refusal {
      throw refusal.error
    }
  }

  private func readAll() throws -> ImportedRecords {
    let asked = Asked(source, request)
    guard !asked.isFolder || kind.reach != .file else {
      throw ForeignFileError.notThisFormat(
        reason: "\(FileName.text(source.path.pathBytes)) is a folder: name the file in it")
    }
    var (records, looked) = (ImportedRecords(), [Kept]())
    var others = OtherFiles(asked)
    // Checked first: a browser closed during the read has written in that time.
    let use = asked.isFolder && kind.isInBrowser ? FilesInUse().use(of: source.path) : nil
    for path in kind.paths(source.path) {
      let walk = FileWalk(
        path: path, targets: TargetFolders(request.targetFolders), isFlat: kind.reach == .folder,
        names: kind.fileNames)
      try walk.forEach(into: &records) { found, records in
        if let kept = try take(&found, asked, &others, &records) { looked.append(kept) }
      }
    }
    others.report(&records)
    if let use {
      records.exclude(
        PathParts(source.path).name,
        "\(use.name ?? "a browser") has it open: it is read anyway, and may be of two moments. Close the browser for "
          + "a backup", loss: .possible)
    }
    try kind.together(&looked, asked)
    hideSecrets(looked, &records)
    try gather(looked, asked, &records)
    return try records.withinLimits()
  }

  // MARK: one file

  /// Looks at a file and keeps it; nil if it is left out, which is reported.
  private func take(
    _ found: inout FoundFile, _ asked: Asked, _ others: inout OtherFiles, _ records: inout ImportedRecords
  ) throws -> Kept? {
    guard let taken = records.taking(found, by: source.copying) else { return nil }
    found.copy = taken.copy
    var kept: Kept
    do {
      switch try look(at: found, asked) {
      case .wallet(let wallet): kept = wallet
      case .withheld(let reason):
        records.exclude(found.nameText, reason, loss: .none)
        return nil
      case .other(let reason):
        // `shares check` tells of a damaged share, too.
        guard request.isForBackup || kind.hasKeyShares && OtherFiles.isMeant(found, kind) else {
          records.exclude(found.nameText, reason, loss: .none)
          return nil
        }
        guard let other = try others.kept(found, reason) else { return nil }
        kept = other
      }
    } catch let error as ForeignFileError where !request.isForBackup {
      // An import wants records: what it was named for is refused, and the rest of a folder is read.
      guard !found.isNamed else { throw error.naming(FileName.text(source.path.pathBytes)) }
      records.exclude(found.nameText, error.sentence, loss: .possible)
      return nil
    } catch let error as SystemError where !error.isInterrupted {
      records.exclude(found.nameText, error.sentence, loss: .possible)
      return nil
    }
    kept.name = found.nameText
    if taken.isDamaged, !(kept.findings + kept.records.findings).contains(where: \.isFaulty) {
      kept.findings.append(asked.finding(kept.name, .faulty(.malformed)))
    }
    try keep(&kept, found, taken, &records)
    if kept.isOfKind {
      note(kept, found.status, &records)
    } else if kept.isIn, let reason = kept.problems.first {
      records.exclude(kept.name, "\(Exclusion.keptUnread)\(reason)", loss: .none)
    }
    return kept
  }

  private func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    if let reason = found.passedOver { return .other(reason: reason) }
    let count = Int(clamping: found.byteCount)
    if request.isForBackup, let destroyed = destroyed(found, asked) { return .wallet(destroyed) }
    if !request.isForBackup, found.isNamed, count == 0 { return .other(reason: "it is empty") }
    do {
      guard count <= kind.limit else {
        throw ForeignFileError.overLimit(
          reason: "\(found.nameText) has \(count) bytes, and no such file has more than \(kind.limit)")
      }
      if kind.limit < .max { request.work.admit(input: UInt64(count)) }
      let look = try kind.look(found, asked)
      if case .other = look, count == 0 { return .other(reason: "it is empty") }
      guard case .wallet(var kept) = look else { return look }
      try request.work.spend(kept.findings.count, on: .findings)
      kept.records.budget.read(atLeast: count)
      try kept.records.checkLimits()
      return .wallet(kept)
    } catch  where UnreadFiles.takes(error, request) {
      let nature = try FileNature(of: found)
      guard OtherFiles.isMeant(found, kind) || count <= kind.limit else {
        return .other(reason: "it is longer than \(kind.limit) bytes, which no such file is")
      }
      return .wallet(
        Kept(
          format: nature.format, isSecret: nature.isSecret,
          asked.finding(found.nameText, .notProved(.workLimit))))
    } catch let error as ForeignFileError where request.isForBackup {
      return .other(reason: error.sentence)
    }
  }

  /// A file that should be a wallet but has lost its content; nil for any other.
  ///
  /// A power failure or a failing disk leaves such files: empty, or with zeros at the start. They are reported as
  /// faulty, so that a lost wallet is never mistaken for a directory without one.
  private func destroyed(_ found: borrowing FoundFile, _ asked: Asked) -> Kept? {
    guard !kind.takesAnything,
      found.isNamed || kind.fileNames.mayBeWallet(FileName.text(found.lastName))
    else { return nil }
    let beginning = found.beginning(Self.sectorByteCount)
    guard beginning.allSatisfy({ $0 == 0 }), found.status.size == 0 || !beginning.isEmpty else { return nil }
    var kept = Kept(
      format: "", isSecret: true,
      asked.finding(found.nameText, .faulty(found.status.size == 0 ? .length : .malformed)))
    kept.isDestroyed = true
    return kept
  }

  private static let sectorByteCount = 512

  // MARK: keeping

  /// Adds a file to what the archive will hold.
  private func keep(
    _ kept: inout Kept, _ found: borrowing FoundFile, _ taken: TakenFile, _ records: inout ImportedRecords
  ) throws {
    if kept.isSecret, kept.sharesAreAll, !kept.shares.isEmpty, request.selection.contains(.keyShares) {
      // Its shares are in the archive anyway, sealed a second time: without the file only its place is lost.
      guard request.selection.contains(.secretFiles) else { return }
      guard request.includesPrivateKeys else { return records.unkeptShareFiles += 1 }
    } else {
      let isKnown = kept.isOfKind && !kind.takesAnything && !kept.isDestroyed
      guard kept.leaves(request) else { return kept.leftOut = isKnown ? "holds" : "may hold" }
    }
    let file = KeptFile(kept, kind: kind.name, collector: source.name)
    kept.id = try records.stream(found, taken, file, isDestroyed: kept.isDestroyed, request)
  }

  private func note(_ kept: Kept, _ status: FileStatus, _ records: inout ImportedRecords) {
    var notes = kept.problems
    if kept.shares.contains(where: { $0.finding.result == .proved(.wholeKey) }) {
      notes.append("one share signs alone: this file is the whole key, and not a part of it")
    }
    if kept.isSecret, kind.hasKeyShares || !kept.shares.isEmpty, status.permissions & 0o077 != 0 {
      notes.append("others than its owner may use it (mode \(String(status.permissions, radix: 8)))")
    }
    let id = kept.shares.first?.descriptor.id ?? Data(kept.id ?? [])
    let section = kept.shares.isEmpty ? Section.files : .keyShareDescriptors
    for sentence in notes { records.note("\(kept.name): \(sentence)", section, id) }
  }

  // MARK: all files

  /// Treats files as secrets that turned out to be some when all were compared.
  private func hideSecrets(_ looked: [Kept], _ records: inout ImportedRecords) {
    let secret = Set(looked.lazy.filter(\.isSecret).compactMap(\.id))
    records.streams = records.streams.compactMap { stream in
      guard stream.section == .files, secret.contains(stream.id) else { return stream }
      return records.leaves(stream.nameText, in: .secretFiles, request, "holds") ? stream.asSecret : nil
    }
  }

  /// Adds what was read from each file, without what an earlier one brought.
  private func gather(_ looked: [Kept], _ asked: Asked, _ records: inout ImportedRecords) throws {
    var known = KnownRecords()
    for kept in looked {
      records.add(known.new(in: kept.records))
      for wallet in kept.wallets where known.wallets.insert(wallet.id).inserted { records.add(wallet) }
      records.findings += kept.findings.map { finding in
        var finding = finding
        finding.isInClear = kept.isSecret
        return finding
      }
    }
    for place in records.findings.indices where records.findings[place].kind.isEmpty {
      records.findings[place].kind = kind.name
    }
    var shares: [FoundShare] = []
    for (number, kept) in looked.enumerated() {
      shares += kept.shares.map { share in
        var share = share
        share.document |= (number + 1) << 32
        return share
      }
    }
    if kind.comparesEpochs { try ShareEpochCheck.compare(&shares) }
    if kind.hasKeyShares || !shares.isEmpty { records.add(shares, request) }
    records.noteUnkeptShareFiles(request)
    if !looked.contains(where: { $0.isOfKind && $0.isWallet }) { try foundNothing(&records) }
    records.keepOnly(request)
    for kept in looked {
      if let holding = kept.leftOut { _ = records.leaves(kept.name, in: kept.section, request, holding) }
    }
  }

  /// Reports that nothing was found in a directory, or refuses a file with the reason.
  private func foundNothing(_ records: inout ImportedRecords) throws {
    guard !kind.takesAnything else { return }
    let reason = records.excluded.first.map { "\($0.what): \($0.reason)" }
    records.exclude(source.path, "no \(kind.what) is there", loss: .possible)
    guard !source.isFolder, !request.isForBackup else { return }
    throw ForeignFileError.notThisFormat(reason: reason ?? "\(source.path): no \(kind.what) is there")
  }
}

/// The wallets, contacts and settings that a source's earlier files brought.
private struct KnownRecords {
  var wallets: Set<Data> = []
  private var contacts: [Data: Contact] = [:]
  private var keys = SettingKeys()

  /// Returns a file's records without those that an earlier file had.
  mutating func new(in records: ImportedRecords) -> ImportedRecords {
    var new = records
    new.wallets.removeAll { wallets.contains($0.id) }
    wallets.formUnion(new.wallets.map(\.id))
    new.contacts = records.contacts.compactMap { $0.unlike(&contacts) }
    new.settings = records.settings.compactMap { setting in
      guard let key = keys.take(setting.key, for: setting.value) else { return nil }
      var setting = setting
      setting.key = key
      return setting
    }
    return new
  }
}

extension ForeignFileError {
  /// Returns the error with the file's name before its sentence, unless it is already there.
  fileprivate func naming(_ file: String) -> ForeignFileError {
    func named(_ reason: String) -> String {
      Array(reason.utf8).starts(with: file.utf8) ? reason : "\(file): \(reason)"
    }
    return switch self {
    case .notThisFormat(let reason): .notThisFormat(reason: named(reason))
    case .tooNew(let reason): .tooNew(reason: named(reason))
    case .overLimit(let reason): .overLimit(reason: named(reason))
    case .wrongPassphrase, .passphraseNeeded: self
    }
  }
}
