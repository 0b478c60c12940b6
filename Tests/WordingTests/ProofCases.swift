import FuekiArchive
import FuekiBackup
import FuekiWallet
import Testing
import fueki_backup

extension Proof.Source: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .keyShares
    case .keyShares: .privateKey
    case .privateKey: .seedPhrase
    case .seedPhrase: .keystore
    case .keystore: .descriptor
    case .descriptor: nil
    }
  }
}

extension Proof.Gap: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .noAddress
    case .noAddress: .watchOnly
    case .watchOnly: .hardware
    case .hardware: .noKey
    case .noKey: .publicSideOnly
    case .publicSideOnly: .shares("some words")
    case .shares: .keystore(.noPassword)
    case .keystore: .unnamedKeystore(derived: "0x01")
    case .unnamedKeystore: .noWallet(derived: "0x01")
    case .noWallet: .derivedFurther(path: "m/44'/60'")
    case .derivedFurther: .kindOfAddress
    case .kindOfAddress: .form(kind: "seed")
    case .form: .descriptor(.syntax)
    case .descriptor: .beyond(indices: 20)
    case .beyond: .words
    case .words: .passphrase(derived: "0x01")
    case .passphrase: nil
    }
  }

  static var everything: [Self] {
    all + KeyFileProblem.all.map(Self.keystore) + DescriptorError.all.map(Self.descriptor)
      + [.noWallet(derived: ""), .passphrase(derived: "")]
  }
}

extension Proof.Result: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .proved(by: .keystore)
    case .proved: .differs(.keyShares, .otherAddress(derived: "0x01"))
    case .differs(_, .otherAddress): .differs(.keyShares, .unsoundShares("some words"))
    case .differs(_, .unsoundShares): .notChecked(.noKey)
    case .notChecked: nil
    }
  }

  static var everything: [Self] {
    all + Proof.Source.all.map { .proved(by: $0) } + Proof.Gap.everything.map(Self.notChecked)
  }
}

extension StageEnd: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .done
    case .done: .salvaged
    case .salvaged: .read(lost: .none, proofs: ProofTally())
    case .read(.none, ProofTally()):
      .read(lost: .none, proofs: ProofTally(proved: 1, differing: 2, unchecked: 3))
    case .read(.none, _): .read(lost: StageLoss(scopes: [.history], records: 3), proofs: ProofTally())
    case .read: .resynced(.notRun(reason: "not asked for"))
    case .resynced(.notRun): .resynced(.complete(wallets: 3))
    case .resynced(.complete): .resynced(.incomplete(wallets: 3, problems: ["one"]))
    case .resynced(.incomplete): nil
    }
  }
}

/// A restore's messages about its stages, and about the addresses that it derived again.
struct StageWordingTests {
  @Test func `a stage's end is told as ever`() {
    #expect(
      StageEnd.all.map(\.sentence) == [
        "done", "damaged: only the undamaged parts are restored", "done",
        "done; addresses: 1 proved, 2 differ, 3 not checked",
        "in part. Lost: the whole history, 3 records", "not run: not asked for",
        "3 wallets are up to date", "incomplete for 1 of 3 wallets",
      ])
    #expect(ResyncOutcome.complete(wallets: 1).sentence == "1 wallet is up to date")
  }

  @Test func `only a stage with nothing else to tell is uneventful`() {
    for end in StageEnd.all { #expect(end.isUneventful == (end.sentence == "done"), "\(end)") }
  }

  @Test func `an address that was derived again is told with what it is derived from`() {
    #expect(
      Proof.Result.all.map { $0.sentence(of: "0x02") } == [
        "0x02 is derived from its keystore", "its key shares lead to 0x01, not to 0x02",
        "its key shares do not fit together: some words", "not checked: no restored key leads to its address",
      ])
    let one = Proof.Result.differs(.privateKey, .otherAddress(derived: "0x01"))
    #expect(one.sentence(of: "0x02") == "its private key leads to 0x01, not to 0x02")
  }

  @Test func `every way in which an address was not derived again is words`() {
    for result in Proof.Result.everything {
      FailureTests.expectWords(result.sentence(of: "0x02"), of: KeyFileProblem.noPassword)
    }
  }
}
