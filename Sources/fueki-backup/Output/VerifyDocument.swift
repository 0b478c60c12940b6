internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `verify --json`.
struct VerifyDocument: Encodable {
  struct Damage: Encodable {
    let what: String
    let stream: String?
    let chunk: UInt64?
    let offset: UInt64?
    let section: String?
  }

  struct Archive: Encodable {
    let path: String
    let id: String?
    let depth: String
    let verdict: String
    let signer: String?
    let damage: [Damage]
    let scopes: [String]
    let authenticity: String?
    let seals: String?
    let whose: String?
    let repairable: Repairable?
    let base: BaseDocument?
    let vault: String?
    let label: String?
    let owner: String?
  }

  struct Repairable: Encodable {
    let possible: Bool?
    let blocksNeeded: Int?
    let blocksAvailable: Int?
  }

  let schema = "fueki.verify/1"
  let archives: [Archive]
  let warnings: [String]
  let shard: String?
  let expected: [ExpectedDocument]?
  let expectedSignature: String?
  let ok: Bool

  init(
    _ results: [VerificationResult], warnings: [String], isIncomplete: Bool, shard: String?,
    isProblemsOnly: Bool = false, vaults: VerifiedVaults? = nil,
    verdicts: [ExpectedVaults.Verdict]? = nil, signature: ListSignature? = nil, now: Int64
  ) {
    expectedSignature = signature?.rawValue
    (self.warnings, self.shard) = (warnings, shard)
    expected = verdicts.map { verdicts in
      verdicts.filter { !isProblemsOnly || !$0.problems.isEmpty }.map { ExpectedDocument($0, now: now) }
    }
    archives = results.filter { !isProblemsOnly || $0.verdict != .intact }.map { result in
      let expected = vaults?.expected(of: result)
      return Archive(
        path: StandardInputArchive.shown(result.path), id: result.digest?.hex, depth: result.depth.rawValue,
        verdict: result.verdict.rawValue,
        signer: result.facts?.signer?.hex, damage: result.damage.map(Damage.init),
        scopes: result.openedScopes.map(\.name), authenticity: result.authenticity?.rawValue,
        seals: result.facts.map { SealCover($0).rawValue },
        whose: result.ownership?.rawValue, repairable: result.mendability.map(Repairable.init),
        base: result.facts?.base.map { BaseDocument($0, isAtHand: result.missingBase == nil) },
        vault: vaults?.vault(of: result)?.hex, label: expected?.label?.text, owner: expected?.owner)
    }
    ok = !isIncomplete && results.allSatisfy { $0.verdict == .intact }
  }
}

extension VerifyDocument.Repairable {
  fileprivate init(_ mendability: Mendability) {
    switch mendability {
    case .possible(let needed, let available):
      (possible, blocksNeeded, blocksAvailable) = (true, needed, available)
    case .impossible(let needed, let available):
      (possible, blocksNeeded, blocksAvailable) = (false, needed, available)
    case .unknown: (possible, blocksNeeded, blocksAvailable) = (nil, nil, nil)
    }
  }
}

extension VerifyDocument.Damage {
  fileprivate init(_ damage: ArchiveError.Damage) {
    what = damage.sentence
    section = nil
    switch damage {
    case .chunk(let stream, let chunk), .leaf(let stream, let chunk):
      self.stream = stream.name
      self.chunk = chunk
      offset = chunk * UInt64(Limits.chunkPlaintextBytes)
    default:
      stream = nil
      chunk = nil
      offset = nil
    }
  }
}
