import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiWallet
import TestSupport
import Testing

/// The proofs of a wallet's address by key shares.
struct ShareProofTests {
  @Test func `a share set that leads to its wallet's address proves it, also with fewer than sign`() throws {
    for places in [[0], [0, 1], [0, 1, 2]] {
      let shares = try ShareSample()
      var sample = ProofSample()
      try sample.add("Savings", kind: "tss", at: ProofSample.address(of: shares.groupKey)) {
        $0.groupPublicKey = Data(shares.groupKey)
      }
      try sample.add(shares, places)
      let report = try sample.prove()
      #expect(report.short == ["Savings: proved by key-shares"])
      #expect(report.tally == ProofTally(proved: 1))
      #expect(report.olderShares.isEmpty)
    }
  }

  @Test func `a chosen wallet comes with its key's shares, also where they name another`() throws {
    var shares = try ShareSample()
    shares.change { $0.walletID = PackedText.pack("Main") }
    var sample = ProofSample()
    for (name, chain) in [("Main", "1"), ("Side", "137")] {
      try sample.add(name, on: chain, kind: "tss", at: ProofSample.address(of: shares.groupKey)) {
        $0.groupPublicKey = Data(shares.groupKey)
      }
    }
    try sample.add(shares, [0, 1])
    #expect(try sample.prove(ofWallets: ["Side"]).short == ["Side: proved by key-shares"])
  }

  @Test func `shares of another key than the wallet's address differ`() throws {
    let shares = try ShareSample()
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: ProofSample.strange) {
      $0.groupPublicKey = Data(shares.groupKey)
    }
    try sample.add(shares, [0, 1])
    let report = try sample.prove()
    #expect(report.short == ["Savings: differs by key-shares"])
    let expected = try ProofSample.address(of: shares.groupKey)
    #expect(report.differences[0].result == .differs(.keyShares, .otherAddress(derived: expected)))
    #expect(report.differences[0].address == ProofSample.strange)
  }

  @Test func `an address that lies further along a path is not judged by the group's key`() throws {
    let shares = try ShareSample()
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: ProofSample.strange) {
      $0.groupPublicKey = Data(shares.groupKey)
      $0.derivationPath = "m/44'/60'/0'/0/0"
    }
    try sample.add(shares, [0])
    #expect(try sample.prove().gap == .derivedFurther(path: "m/44'/60'/0'/0/0"))
  }

  @Test func `a secret that is another share's differs, whatever the address`() throws {
    var shares = try ShareSample()
    shares.descriptors[0].ownPublicPoint = try shares.strangePoint()
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: ProofSample.address(of: shares.groupKey)) {
      $0.groupPublicKey = Data(shares.groupKey)
    }
    try sample.add(shares, [0])
    let report = try sample.prove()
    #expect(report.short == ["Savings: differs by key-shares"])
    guard case .differs(.keyShares, .unsoundShares(let text)) = report.differences[0].result else {
      Issue.record("the shares are judged by something else")
      return
    }
    #expect(text.hasPrefix("share 0: "))
  }

  @Test(arguments: [true, false])
  func `unsound shares stay in the archive only if they were sound when it was made`(_ wasSound: Bool) throws
  {
    var shares = try ShareSample()
    shares.descriptors[0].ownPublicPoint = try shares.strangePoint()
    var proof = ProofSample()
    try proof.add(shares, [0])
    try proof.add("Other", at: ProofSample.strange)
    proof.builder.note(
      WalletFinding(
        kind: "tss-lib", name: shares.descriptors[0].name,
        wasSound ? .proved(.groupKey) : .faulty(.secretDiffers)))
    let folder = try TemporaryDirectory()
    let sample = try SampleBundle()
    let stored = try sample.archive(proof.builder.build(), in: folder).source
    let recovery = Recovery(clock: { 0 }, secrets: { UnlockingSecrets(passphrases: [sample.passphrase]) })
    let destination = MemoryDestination()
    let report = try recovery.run(stored, resyncer: nil, progress: { _ in }) { _ in
      (destination, MemoryKeychain())
    }
    #expect(destination.records[.wallets]?.count == 1)
    #expect(report.proofs.differences.count == 1)
    #expect(report.isComplete == !wasSound)
    #expect((report.restored[.keyShares] ?? 0) == (wasSound ? 0 : 1))
  }

  @Test func `shares of two ceremonies for one key are compared within each`() throws {
    var first = try ShareSample()
    first.change { $0.clearEpoch() }
    var second = try first.refreshed()
    second.change {
      $0.clearEpoch()
      $0.id = Data($0.id.map { $0 + 100 })
    }
    for (places, expected) in [([0], "proved by key-shares"), ([1], "differs by key-shares")] {
      var sample = ProofSample()
      try sample.add("Savings", kind: "tss", at: ProofSample.address(of: first.groupKey)) {
        $0.groupPublicKey = Data(first.groupKey)
      }
      try sample.builder.add(share: first.descriptors[0], secret: first.secrets[0])
      for place in places {
        try sample.builder.add(share: second.descriptors[place], secret: second.secrets[place])
      }
      // A party has a share of each ceremony; shares of two parties that do not fit are from before and after a refresh.
      #expect(try sample.prove().short == ["Savings: \(expected)"])
    }
  }

  @Test func `what is not said leaves a set open, and is no difference`() throws {
    var shares = try ShareSample()
    shares.change { $0.points = [] }
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: ProofSample.address(of: shares.groupKey)) {
      $0.groupPublicKey = Data(shares.groupKey)
    }
    try sample.builder.add(share: shares.descriptors[0], secret: shares.secrets[0])
    guard case .shares? = try sample.prove().gap else {
      Issue.record("a share alone, whose group's points are not known, proves nothing")
      return
    }
  }

  @Test func `only what is selected counts`() throws {
    let shares = try ShareSample()
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: ProofSample.address(of: shares.groupKey)) {
      $0.groupPublicKey = Data(shares.groupKey)
    }
    try sample.add(shares, [0, 1])
    let profile = try SectionSelection(only: ["profile"], exclude: [])
    #expect(try sample.prove(profile).gap == .publicSideOnly)
    let wallets = try SectionSelection(only: ["wallets"], exclude: [])
    #expect(try sample.prove(wallets).gap == .noKey)
    let history = try SectionSelection(only: ["history"], exclude: [])
    #expect(try sample.prove(history).proofs.isEmpty)
  }

  @Test func `of shares from before and after a refresh the newest prove, and the older are named`() throws {
    let old = try ShareSample()
    var new = try old.refreshed()
    new.change {
      $0.epoch = 2
      $0.id = Data($0.id.map { $0 + 100 })
      $0.name += ", refreshed"
    }
    var sample = ProofSample()
    try sample.add("Savings", kind: "tss", at: ProofSample.address(of: old.groupKey)) {
      $0.groupPublicKey = Data(old.groupKey)
    }
    try sample.builder.add(share: old.descriptors[0], secret: old.secrets[0])
    try sample.add(new, [0, 1])
    let report = try sample.prove()
    #expect(report.short == ["Savings: proved by key-shares"])
    #expect(report.olderShares.map { $0.shares.map(\.short) } == [["share 0"]])
    #expect(report.olderShares.map(\.epoch) == [1] && report.olderShares.map(\.newest) == [2])
  }

  @Test func `shares that belong to no wallet are listed with their key's address`() throws {
    let shares = try ShareSample()
    var sample = ProofSample()
    try sample.add(shares, [0, 1])
    let report = try sample.prove()
    #expect(report.proofs.map(\.subject) == [.keyShares])
    #expect(report.gap == .noWallet(derived: try ProofSample.address(of: shares.groupKey)))
  }
}
