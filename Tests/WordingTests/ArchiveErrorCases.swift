import FuekiArchive
import FuekiCrypto
import FuekiSystem

extension ArchiveError.Damage: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .structure
    case .structure: .firstHeader
    case .firstHeader: .headerCopy
    case .headerCopy: .firstTrailer
    case .firstTrailer: .trailerCopy
    case .trailerCopy: .reservedBytes
    case .reservedBytes: .trailingBytes(count: 3)
    case .trailingBytes: .chunk(stream: .history, chunk: 3)
    case .chunk: .leaf(stream: .secrets, chunk: 3)
    case .leaf: .leafRoot
    case .leafRoot: .archiveDigest
    case .archiveDigest: nil
    }
  }
}

extension ArchiveError.Newness: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .major(2)
    case .major: .field(tag: 3)
    case .field: .suite(2)
    case .suite: nil
    }
  }
}

extension ArchiveError.SignerProblem: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .unsigned
    case .unsigned: .another
    case .another: .signatureFails
    case .signatureFails: .chunksUnproven
    case .chunksUnproven: nil
    }
  }
}

extension ArchiveError.Limit: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .archiveLength
    case .archiveLength: .headerLength
    case .headerLength: .slotCount
    case .slotCount: .passphraseSlots
    case .passphraseSlots: .pluginSlots
    case .pluginSlots: .derivationMemory(kibibytes: 3)
    case .derivationMemory: .derivationPasses(3)
    case .derivationPasses: .derivationTotal
    case .derivationTotal: .indexLength
    case .indexLength: .blockLength
    case .blockLength: .recordLength
    case .recordLength: .window
    case .window: .columnForm
    case .columnForm: .plaintext
    case .plaintext: .changes
    case .changes: nil
    }
  }
}

extension ArchiveError.BrokenRule: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .tooShort
    case .tooShort: .version
    case .version: .padding
    case .padding: .headerFields
    case .headerFields: .base
    case .base: .changes
    case .changes: .otherBase
    case .otherBase: .result(section: 3)
    case .result: .slot(3)
    case .slot: .signature
    case .signature: .slotsDisagree
    case .slotsDisagree: .confirmation(.history)
    case .confirmation: .seal(.history)
    case .seal: .chunkTag(stream: .history, chunk: 3)
    case .chunkTag: .index(.history)
    case .index: .fill(.history)
    case .fill: .frame(section: 3)
    case .frame: .columns(section: 3)
    case .columns: .records(section: 3)
    case .records: .sectionDigest(section: 3)
    case .sectionDigest: .scopeDigest(.history)
    case .scopeDigest: .manifest
    case .manifest: .keyShare
    case .keyShare: nil
    }
  }
}

extension GuardianShortfall.Fault: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .notAShare(.checksum)
    case .notAShare: .foreign
    case .foreign: .doubled(member: 3)
    case .doubled: nil
    }
  }
}

extension ArchiveError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .notAnArchive
    case .notAnArchive: .incomplete
    case .incomplete: .damaged(.structure)
    case .damaged: .tooNew(.major(2))
    case .tooNew: .untrusted(.unsigned)
    case .untrusted: .wrongSecret
    case .wrongSecret: .tooFewShares(GuardianShortfall(slot: 1, threshold: 2, members: [1], problems: []))
    case .tooFewShares: .pluginFailed(PluginFailure(program: "age-plugin-x", fault: .noKey))
    case .pluginFailed: .overLimit(.window)
    case .overLimit: .forged(.manifest)
    case .forged: .baseMissing(base)
    case .baseMissing: .inBase(base, .incomplete)
    case .inBase: .unreadable(SystemError(.failed, call: "read", path: "some-file"))
    case .unreadable: .outOfMemory
    case .outOfMemory: nil
    }
  }

  private static let base = BaseReference(digest: SHA256.hash([3]), sequence: 3)

  /// Every case, and every case within one.
  static var everything: [Self] {
    let problems = GuardianShortfall.Fault.all.map { GuardianShortfall.Problem(place: 1, fault: $0) }
    return all + Damage.all.map(Self.damaged) + Newness.all.map(Self.tooNew)
      + SignerProblem.all.map(Self.untrusted) + Limit.all.map(Self.overLimit)
      + BrokenRule.all.map(Self.forged) + PluginFailure.everything.map(Self.pluginFailed)
      + [.tooFewShares(GuardianShortfall(slot: 1, threshold: 2, members: [], problems: problems))]
  }
}

extension PluginFailure.Breach: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .malformed
    case .malformed: .tooLong
    case .tooLong: .outOfPlace
    case .outOfPlace: .stanzas
    case .stanzas: nil
    }
  }
}

extension PluginFailure.Fault: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .notInstalled
    case .notInstalled: .system(SystemError(.failed, call: "read", path: "some-file"))
    case .system: .ended(.exited(3), errors: "some words")
    case .ended: .timedOut
    case .timedOut: .broke(.malformed)
    case .broke: .refused("some words")
    case .refused: .unanswered("some question")
    case .unanswered: .noKey
    case .noKey: .wrongKey
    case .wrongKey: .outOfMemory
    case .outOfMemory: nil
    }
  }

  static var everything: [Self] {
    all + PluginFailure.Breach.all.map(Self.broke) + [.ended(nil, errors: "")]
  }
}

extension PluginFailure {
  static var everything: [Self] {
    Fault.everything.map { PluginFailure(program: "age-plugin-x", fault: $0) }
  }
}

extension BundleError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .recordTooLarge(bytes: 3)
    case .recordTooLarge: .sectionOrder(3)
    case .sectionOrder: .manifestLength(reserved: 3, given: 4)
    case .manifestLength: .slotCount(0)
    case .slotCount: .derivationCost(Argon2id.Cost(memoryKiB: 3, passes: 4))
    case .derivationCost: .headerTooLarge(bytes: 3)
    case .headerTooLarge: .closedScopes([.profile, .history])
    case .closedScopes: .archiveTooLarge
    case .archiveTooLarge: nil
    }
  }
}
