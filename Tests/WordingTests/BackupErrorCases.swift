import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet

extension PlaceError.Obstacle: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .symbolicLink
    case .symbolicLink: .mountPoint
    case .mountPoint: .inUse
    case .inUse: .foreignEntry(name: "socket")
    case .foreignEntry: .noExchange
    case .noExchange: nil
    }
  }
}

extension CollectError.KeychainProblem: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .missingSecret
    case .missingSecret: .wrongSecret
    case .wrongSecret: .damaged
    case .damaged: .newer
    case .newer: .notThere
    case .notThere: nil
    }
  }
}

extension TargetError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .noTarget(path: "target")
    case .noTarget: .otherFileSystem(path: "target")
    case .otherFileSystem: .malformedTarget(path: "rclone:x")
    case .malformedTarget: .readBackDiffers(path: "file")
    case .readBackDiffers: .checksumDiffers(path: "file", kind: "md5")
    case .checksumDiffers: .appendOnly(path: "target")
    case .appendOnly: .noWholeCopy(sequence: 3)
    case .noWholeCopy: .damagedCopy(path: "target", sequence: 3)
    case .damagedCopy: .holdsPrivateKeys(path: "target")
    case .holdsPrivateKeys: nil
    }
  }
}

extension MendError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .noProgram
    case .noProgram: .noParity(path: "file")
    case .noParity: .beyondParity(path: "file", needed: 7, available: 5)
    case .beyondParity: .parityUnusable(path: "file")
    case .parityUnusable: .otherArchive(path: "file")
    case .otherArchive: .onRemote(path: "rclone:x:file")
    case .onRemote: .programFailed(said: "no")
    case .programFailed: .system(SystemError(.notInstalled, call: "posix_spawn", path: "par2"))
    case .system: .tooMuchWritten
    case .tooMuchWritten: nil
    }
  }
}

extension FindingError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .noArchive(name: "abc")
    case .noArchive: .noArchives(targets: ["folder"])
    case .noArchives: .denied(DeniedArchives(folder: "folder", owner: 1000, count: 2))
    case .denied(let denied) where denied.count != nil:
      .denied(DeniedArchives(folder: "folder", owner: nil, count: nil))
    case .denied: .isFolder(path: "folder")
    case .isFolder: .ambiguous(name: "ab", candidates: ["abc", "abd"])
    case .ambiguous: .severalVaults(count: 2)
    case .severalVaults: .unusableNewest(path: "file", verdict: .damaged, usable: "other")
    case .unusableNewest: nil
    }
  }
}

extension LineageError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .olderThanKnown(sequence: 3, known: 4)
    case .olderThanKnown: .forked(sequence: 3, known: 4)
    case .forked: .unknownSuccessor(sequence: 3, known: nil)
    case .unknownSuccessor: .unknownLineage(sequence: 3)
    case .unknownLineage: .inDoubt(sequence: 3, signer: nil)
    case .inDoubt: .untried(["one.fueki", "two.fueki"], tried: 8)
    case .untried: .implausibleSequence(1 << 40, known: 3)
    case .implausibleSequence: .unsignedSuccessor
    case .unsignedSuccessor:
      Ed25519.PublicKey(hex: String(repeating: "ab", count: 32)).map(Self.retiredSigner)
    case .retiredSigner: .secondVault(others: ["ab"])
    case .secondVault:
      .elsewhere(
        VaultElsewhere(
          id: .random(), sequence: 3, device: "old", created: 1_700_000_000,
          presence: .some(lacking: ["file a"])))
    case .elsewhere: .notMine(sequence: 3, .stranger)
    case .notMine(_, .stranger): .notMine(sequence: 3, .unknown)
    case .notMine: nil
    }
  }
}

extension CollectError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .shareID(name: "share")
    case .shareID: .recordID(section: "messages")
    case .recordID: .keychain(.damaged)
    case .keychain: .sourceKeepsChanging(name: "store")
    case .sourceKeepsChanging: .tooMuch(.files)
    case .tooMuch(.files): .tooMuch(.secrets)
    case .tooMuch(.secrets): .tooMuch(.secretBytes)
    case .tooMuch(.secretBytes): nil
    }
  }
}

extension PublishError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .nothingToBackUp(leftOut: ["wallet.dat: it may hold secrets"])
    case .nothingToBackUp(let leftOut) where !leftOut.isEmpty: .nothingToBackUp(leftOut: [])
    case .nothingToBackUp:
      .emptied([.wallets(5), .files(1), .secrets(2), .scope("history", records: 40)])
    case .emptied: .notDifferential(.noTable)
    case .notDifferential: nil
    }
  }
}

extension FullReason: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .asked
    case .asked: .noTable
    case .noTable: .damagedTable
    case .damagedTable: .noHistory
    case .noHistory: .due
    case .due: .baseMissing(target: "target")
    case .baseMissing: .baseDamaged(target: "target")
    case .baseDamaged: .baseUnproven(target: "target")
    case .baseUnproven: .otherSecrets
    case .otherSecrets: .otherLineage
    case .otherLineage: .tooLarge
    case .tooLarge: .tooManyChanges
    case .tooManyChanges: .tooManyRecords
    case .tooManyRecords: .longIdentity
    case .longIdentity: .comesToOther
    case .comesToOther: nil
    }
  }
}

extension RecordsError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .malformedRecord(section: "wallets")
    case .malformedRecord: .newerRecords(schema: 3)
    case .newerRecords: .countDiffers(section: "wallets", reported: 3, written: 4)
    case .countDiffers: nil
    }
  }
}

extension PlaceError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .wouldOverwrite(path: "file")
    case .wouldOverwrite: .notReplaceable(path: "data", obstacle: .inUse)
    case .notReplaceable: .keychainDiffers
    case .keychainDiffers: nil
    }
  }
}

extension StateError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .locked(owner: "create, process 3")
    case .locked: .damaged(path: "state")
    case .damaged: nil
    }
  }
}

extension KeyChangeError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .partlyOpen(closed: ["secrets"])
    case .partlyOpen: nil
    }
  }
}

/// Errors that stop a backup, a verification or a restore, except those about the archive itself.
enum BackupRunErrors {
  static var everything: [any Error] {
    let groups: [[any Error]] = [
      TargetError.all, MendError.all, FindingError.all, LineageError.all, CollectError.all, PublishError.all,
      RecordsError.all, PlaceError.all, StateError.all, KeyChangeError.all, [Interrupted()],
      FullReason.all.map(PublishError.notDifferential),
      CollectError.KeychainProblem.all.map(CollectError.keychain),
      PlaceError.Obstacle.all.map { PlaceError.notReplaceable(path: "data", obstacle: $0) },
    ]
    return groups.flatMap(\.self)
  }
}

extension RestoreError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .nothingStopped(path: "data")
    case .nothingStopped: .anotherArchive(path: "file")
    case .anotherArchive: .opensOtherScopes(["profile"], begunWith: ["profile", "secrets"])
    case .opensOtherScopes: .noWallet(id: "abc")
    case .noWallet: .noItem("files:00112233445566778899aabbccddeeff")
    case .noItem:
      .conflicts([RestoreConflict(section: .wallets, id: "abc", fields: ["name"], resolution: .kept)])
    case .conflicts: .olderShares([])
    case .olderShares: .hazards([])
    case .hazards: .stopped
    case .stopped: .presentKeychainClosed
    case .presentKeychainClosed: .newestFails(path: "file", verdict: .damaged, fallback: "other")
    case .newestFails: .opensOlder(.init(below: "file", name: "abc", sequence: 3, created: 0, above: 2))
    case .opensOlder: nil
    }
  }

  static var everything: [Self] {
    all + Verdict.allCases.map { .newestFails(path: "file", verdict: $0, fallback: nil) }
  }
}

extension KeyFileProblem: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .noPassword
    case .noPassword: .wrongPassword
    case .wrongPassword: .tooCostly
    case .tooCostly: .unknownScheme
    case .unknownScheme: .damaged("it is cut off")
    case .damaged: nil
    }
  }
}

extension ExportLimitError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .lines(section: "transactions")
    case .lines: .file(section: "files")
    case .file: .pieces(section: "files")
    case .pieces: .entries(section: "files")
    case .entries: nil
    }
  }
}
