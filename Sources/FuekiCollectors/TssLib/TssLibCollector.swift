internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let tssLib = CollectorKind(
    TssLibCollector.kind, "key share files of bnb-chain/tss-lib", reach: .folder, guide: .bareKeyShares,
    fileNames: WalletNames(possible: ["*.json"]),
    recognises: { $0.contains("\"ShareID\"") || $0.contains("\"Xi\"") }, read: TssLibCollector.read)
}

/// Collects key share files of bnb-chain's tss-lib: a file, or those in a directory.
///
/// A file's bytes are the share's secret, and read directly into protected memory. Its public part is
/// described from its public members, and the secret is compared with the party's public point. The files do
/// not state the threshold, which stays unknown.
enum TssLibCollector {
  static let byteCountLimit = ImportLimits.tssShareByteCount
  static let kind = "tss-lib"

  /// Reads the files.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    let wantsSecrets = records.wants(.keyShares, request)
    // A share is useless without its public part, which is therefore included with it.
    guard wantsSecrets || records.wants(.keyShareDescriptors, request) else { return records }
    let files = SourceFiles(
      path: source.path, byteCountLimit: UInt64(Self.byteCountLimit),
      destroyed: source.destroyed(request))
    try files.forEach(into: &records) { found, records in
      let name = FileName.text(found.name)
      do {
        let secret = try GuardedFile.bytes(of: found)
        let share = try secret.withBytes { bytes in
          try TssLibShare(bytes, name: name, byteCountLimit: Self.byteCountLimit)
        }
        try records.keep(
          share: secret, found, format: "tss-lib-json", source: Self.kind, program: nil, request)
        try records.judge(
          share.descriptor, SharedSecret(try secret.copy(0..<secret.count)), encodings: [.tssLib],
          faults: share.publicProblems, request, kind: Self.kind)
        records.add(share, secret, wantsSecrets: wantsSecrets, found.status)
      } catch let error as SystemError {
        records.exclude(name, error.sentence, loss: .possible)
      } catch TssLibShare.Refusal.otherFile(let reason) {
        records.exclude(name, reason, loss: .none)
      } catch TssLibShare.Refusal.damaged(let reason) {
        if request.isForBackup {
          let bytes = try GuardedFile.bytes(of: found)
          try records.keep(
            share: bytes, found, format: "tss-lib-json", source: Self.kind, program: nil, request)
          records.findings.append(WalletFinding(kind: Self.kind, name: name, .faulty(.malformed)))
        }
        records.exclude(name, reason, loss: .possible)
      }
    }
    records.noteUnkeptShareFiles(request)
    if records.shares.isEmpty && records.descriptors.isEmpty {
      try records.foundNothing(at: source.path, "no key share is there")
    }
    return records
  }
}

extension ImportedRecords {
  fileprivate mutating func add(
    _ share: TssLibShare, _ secret: consuming SecretBytes, wantsSecrets: Bool, _ status: FileStatus
  ) {
    let descriptor = share.descriptor
    if let known = shares.first(where: { $0.descriptor.id == descriptor.id }) {
      let isSame = known.secret.bytes.isEqualInConstantTime(to: secret)
      return exclude(
        descriptor.name,
        isSame
          ? "the same as \(known.descriptor.name)"
          : "a share of the same key and party as \(known.descriptor.name), but another one",
        loss: isSame ? .none : .possible)
    }
    var notes = share.problems
    if status.permissions & 0o077 != 0 {
      notes.append("others than its owner may use it (mode \(String(status.permissions, radix: 8)))")
    }
    problems += notes.map { note in
      var problem = RecordProblem()
      problem.section = UInt32(Section.keyShareDescriptors.rawValue)
      problem.id = descriptor.id
      problem.problem = "\(descriptor.name): \(note)"
      return problem
    }
    if wantsSecrets {
      shares.append(
        Share(descriptor: descriptor, secret: SharedSecret(secret), faults: share.publicProblems))
    } else {
      descriptors.append(descriptor)
    }
  }
}
