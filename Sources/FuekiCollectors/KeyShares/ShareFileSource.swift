internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Reads key share files, one or all in a directory: each is kept unchanged, and its contents are read.
struct ShareFileSource {
  /// Parses a complete file; nil for other kinds of files.
  typealias Parse = (_ bytes: borrowing SecretBytes, _ name: String) throws -> ShareFileContent?

  /// The collector's kind.
  let kind: String
  /// The user's path.
  let path: String
  /// The limit of a file's length.
  let byteCountLimit: Int
  /// The kind of file, for messages after "no".
  let what: String

  /// Reads the files, and shares findings between them.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - parse: parses one file.
  ///   - together: compares the shares of all files.
  /// - Returns: the contents.
  /// - Throws: ``ForeignFileError``, or errors of the system or the closures.
  func read(
    _ request: CollectionRequest, _ parse: Parse,
    together: (inout [FoundShare]) throws -> Void = { _ in }
  ) throws -> ImportedRecords {
    var records = ImportedRecords()
    var found: [FoundShare] = []
    var count = 0
    let isNamed = (try? Directory.open(path)) == nil
    let unread = UnreadFiles(kind: kind, path: path, request: request)
    try SourceFiles(
      path: path, byteCountLimit: UInt64(byteCountLimit), longFileLoss: .possible, unread: unread
    ).forEach(into: &records) { file, records in
      let name = FileName.text(file.name)
      let bytes = try GuardedFile.bytes(of: file)
      records.budget.read(bytes.count)
      request.work.admit(input: UInt64(bytes.count))
      var content: ShareFileContent?
      do {
        content = try parse(bytes, name)
        try request.work.spend(content?.findings.count ?? 0, on: .findings)
      } catch  where UnreadFiles.takes(error, request) {
        count += 1
        return try unread.keep(file, in: &records)
      } catch let error as ForeignFileError where !isNamed {
        return records.exclude(name, error.sentence, loss: .none)
      }
      if content == nil, isNamed {
        // The user named it as a share, so it may be the last copy of one.
        content = ShareFileContent(
          format: "", isSecret: true, WalletFinding(kind: kind, name: name, .faulty(.malformed)))
      }
      guard let content else { return records.exclude(name, "no \(what)", loss: .none) }
      count += 1
      try keep(bytes, file, content, request, &records)
      found += content.shares.map { share in
        var share = share
        share.document |= count << 32
        return share
      }
      for wallet in content.wallets { records.add(wallet) }
      records.findings += content.findings.map { finding in
        var finding = finding
        finding.isInClear = content.isSecret
        return finding
      }
      note(content, name, file.status, &records)
    }
    guard count > 0 else {
      try records.foundNothing(at: path, "no \(what) is there")
      return records
    }
    try together(&found)
    try ShareEpochCheck.compare(&found)
    records.add(found, request)
    records.noteUnkeptShareFiles(request)
    records.keepOnly(request)
    return try records.withinLimits()
  }

  private func keep(
    _ bytes: borrowing SecretBytes, _ file: borrowing FoundFile, _ content: ShareFileContent,
    _ request: CollectionRequest, _ records: inout ImportedRecords
  ) throws {
    guard content.isSecret else {
      let file = FileRecords(
        source: kind, path: file.name, content: bytes.withBytes { $0.copied() }, format: content.format,
        status: file.status, origin: file.origin(program: content.program))
      return records.files += file.parts
    }
    if content.sharesAreAll, request.selection.contains(.keyShares) {
      try records.keep(
        share: bytes, file, format: content.format, source: kind, program: content.program, request)
    } else {
      records.secretFiles += try GuardedFile.parts(
        bytes, source: kind, path: file.name, format: content.format, status: file.status,
        origin: file.origin(program: content.program))
    }
  }

  private func note(
    _ content: ShareFileContent, _ name: String, _ status: FileStatus, _ records: inout ImportedRecords
  ) {
    var notes = content.problems
    if content.shares.contains(where: { $0.finding.result == .proved(.wholeKey) }) {
      notes.append("one share signs alone: this file is the whole key, and not a part of it")
    }
    if content.isSecret, status.permissions & 0o077 != 0 {
      notes.append("others than its owner may use it (mode \(String(status.permissions, radix: 8)))")
    }
    let id = content.shares.first?.descriptor.id ?? ForeignNames.packed("key share file", kind, name)
    let section = content.shares.isEmpty ? Section.files : .keyShareDescriptors
    for sentence in notes { records.note("\(name): \(sentence)", section, id) }
  }
}

extension ImportedRecords {
  /// Adds requested shares without duplicates.
  fileprivate mutating func add(_ found: [FoundShare], _ request: CollectionRequest) {
    let wantsSecrets = wants(.keyShares, request)
    guard !found.isEmpty, wantsSecrets || wants(.keyShareDescriptors, request) else { return }
    for share in found {
      var finding = share.finding
      let descriptor = share.descriptor
      if let known = shares.first(where: { $0.descriptor.id == descriptor.id }) {
        let isSame = share.secret.map { known.secret.bytes.isEqualInConstantTime(to: $0.bytes) } ?? true
        exclude(
          descriptor.name,
          isSame
            ? "the same share as \(known.descriptor.name)"
            : "a share of the same key and party as \(known.descriptor.name), but another one",
          loss: isSame ? .none : .possible)
        if !isSame { findings.append(finding) }
        continue
      }
      for sentence in RecordValidation.problems(of: descriptor) {
        note("\(descriptor.name): \(sentence)", .keyShareDescriptors, descriptor.id)
      }
      if let secret = share.secret, wantsSecrets {
        guard budget.admitsSecret(), admits(descriptor) else { return }
        shares.append(Share(descriptor: descriptor, secret: secret, faults: share.faults))
      } else {
        guard admits(descriptor) else { return }
        if !descriptors.contains(where: { $0.id == descriptor.id }) { descriptors.append(descriptor) }
        if share.secret != nil, !finding.isFaulty { finding.result = .publicPart() }
      }
      findings.append(finding)
    }
  }
}
