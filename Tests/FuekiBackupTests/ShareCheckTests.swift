import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiWallet
import Testing

struct ShareCheckTests {
  /// The ids of what was found, and whether that makes the set unsound.
  private func findings(_ shares: [KnownShare]) throws -> [String] {
    let set = try #require(ShareCheck.run(shares, grouping: .oneSet).sets.first)
    return set.findings.map { finding in
      ([finding.id] + finding.shares.map(\.short) + (finding.party.map { ["\($0)"] } ?? [])).joined(
        separator: " ")
    }
  }

  @Test(arguments: Curve.allCases) func `shares that belong together are sound`(curve: Curve) throws {
    let sample = try ShareSample(threshold: 3, total: 5, on: curve)
    let report = try sample.check()
    let set = try #require(report.sets.first)
    #expect(report.isSound && report.isEnough && set.findings.isEmpty)
    #expect(set.groupKey == sample.groupKey && set.curve == curve && set.epoch == 1)
    #expect(set.threshold == .stated(3) && set.total == 5 && set.atHand == 5)
    #expect((set.addresses?.evm != nil) == (curve == .secp256k1))
    #expect((set.addresses?.solana != nil) == (curve == .ed25519))
  }

  @Test func `the threshold comes from the points if it is not stated`() throws {
    for threshold in 1...5 {
      var sample = try ShareSample(threshold: threshold, total: 5)
      sample.change { $0.clearThreshold() }
      let set = try #require(sample.check([0]).sets.first)
      #expect(set.threshold == .derived(threshold) && set.isSound && set.atHand == 1)
      #expect(set.isEnough == (threshold == 1))
      // The points of the shares at hand tell it too.
      sample.change { $0.points = [] }
      let own = try #require(sample.check().sets.first)
      #expect(own.threshold == .derived(threshold) && own.isSound && own.isEnough)
    }
  }

  @Test func `too few shares are sound and not enough`() throws {
    let sample = try ShareSample(threshold: 3, total: 5)
    for count in 1...5 {
      let report = try sample.check(Array(0..<count))
      #expect(report.isSound && report.isEnough == (count >= 3) && report.sets[0].atHand == count)
    }
    let closed = try ShareCheck.run(
      sample.descriptors.map { KnownShare($0, secret: .closed) }, grouping: .oneSet)
    #expect(closed.isSound && !closed.isEnough && closed.sets[0].atHand == nil)
  }

  @Test(arguments: Curve.allCases) func `a wrong declared point is named`(curve: Curve) throws {
    for states in [true, false] {
      var sample = try ShareSample(threshold: 2, total: 4, on: curve)
      let strange = try sample.strangePoint()
      if !states { sample.change { $0.clearThreshold() } }
      sample.change { $0.points[2].point = strange }
      #expect(try findings(sample.known([0, 1])) == ["wrong-point share 0 share 1 2"])
      // Its own share contradicts it.
      #expect(
        try findings(sample.known([2, 3]))
          == ["own-point-not-declared share 2", "wrong-point share 2 share 3 2"])
    }
  }

  @Test func `a wrong point is named in the one share that declares it`() throws {
    var sample = try ShareSample(threshold: 2, total: 3)
    sample.descriptors[0].points[1].point = try sample.strangePoint()
    #expect(try findings(sample.known()) == ["wrong-point share 0 1"])
  }

  @Test func `a wrong key is told from a wrong point`() throws {
    var sample = try ShareSample(threshold: 2, total: 3)
    let strange = try sample.strangePoint()
    sample.change { $0.groupPublicKey = strange }
    #expect(try findings(sample.known()) == ["wrong-group-key share 0 share 1 share 2"])
    sample = try ShareSample(threshold: 3, total: 3)
    sample.change { $0.groupPublicKey = strange }
    #expect(try findings(sample.known()) == ["points-do-not-fit share 0 share 1 share 2"])
  }

  @Test func `a secret of another share is noticed`() throws {
    let sample = try ShareSample()
    let other = try ShareSample()
    let wrong = try KnownShare(sample.descriptors[0], secret: other.secrets[0], encodings: [.scalar])
    #expect(try findings([wrong] + sample.known([1])).first == "secret-differs share 0")
    #expect(try ShareCheck.run([wrong], grouping: .oneSet).sets[0].atHand == 0)
    let none = SharedSecret(try SecretBytes(count: 32))
    let zero = try KnownShare(sample.descriptors[0], secret: none, encodings: [.scalar])
    #expect(try findings([zero]) == ["secret-malformed share 0"])
    let unread = try KnownShare(sample.descriptors[0], secret: sample.secrets[0], encodings: [])
    let report = try ShareCheck.run([unread], grouping: .oneSet)
    #expect(report.isSound && report.sets[0].findings.map(\.id) == ["secret-not-read"])
  }

  @Test func `a set that mixes is refused, and each share named with what it has`() throws {
    let one = try ShareSample()
    let two = try ShareSample()
    let keys = try ShareCheck.run(one.known([0]) + two.known([1]), grouping: .oneSet)
    guard case .mixed(.key, let parts)? = keys.sets[0].findings.first?.kind else {
      Issue.record("not mixed")
      return
    }
    #expect(parts.map(\.shares).map { $0.map(\.short) } == [["share 0"], ["share 1"]])
    #expect(parts.map(\.value) == [Hex.encode(one.groupKey), Hex.encode(two.groupKey)])
    #expect(!keys.isSound && keys.sets[0].groupKey == nil && keys.sets[0].addresses == nil)

    var epochs = one
    epochs.descriptors[1].epoch = 2
    #expect(try findings(epochs.known()) == ["mixed-epoch"])
    var thresholds = one
    thresholds.descriptors[1].threshold = 3
    #expect(try findings(thresholds.known()) == ["mixed-threshold"])
    var protocols = one
    protocols.descriptors[1].protocol = "other"
    #expect(try findings(protocols.known()) == ["mixed-protocol"])
    let curves = try one.known([0]) + ShareSample(on: .ed25519).known([1])
    #expect(try findings(curves) == ["mixed-curve"])
    // A missing value of a share differs from no other.
    var silent = one
    silent.descriptors[1].clearEpoch()
    silent.descriptors[1].clearThreshold()
    #expect(try silent.check().isSound)
  }

  @Test func `shares of before and after a refresh do not belong together`() throws {
    let before = try ShareSample()
    // A refreshed set has the same key and other shares; here its points belong to another polynomial of that key.
    let refreshed = try before.refreshed()
    #expect(try findings(before.known([0]) + refreshed.known([1])) == ["mixed-points"])
    #expect(try refreshed.check().isSound)
  }

  @Test func `a share that is there twice counts once`() throws {
    let sample = try ShareSample(threshold: 2, total: 3)
    let report = try sample.check([0, 0])
    #expect(report.sets[0].atHand == 1 && !report.isEnough && !report.isSound)
    #expect(report.sets[0].findings.map(\.id) == ["doubled"])
    #expect(report.sets[0].findings[0].shares.map(\.short) == ["share 0", "share 0"])
  }

  @Test(arguments: Curve.allCases) func `a point off the curve is named`(curve: Curve) throws {
    let sample = try ShareSample(on: curve)
    let off = Data(Array(repeating: 0xFF, count: curve.compressedByteCount))
    var changed = sample
    changed.descriptors[0].points[1].point = off
    #expect(try findings(changed.known([0])) == ["point-not-on-curve share 0 1"])
    changed = sample
    changed.descriptors[0].ownPublicPoint = off
    #expect(
      try findings(changed.known([0]))
        == ["own-point-not-on-curve share 0", "own-point-not-declared share 0", "secret-differs share 0"])
    changed = sample
    changed.descriptors[0].groupPublicKey = off
    #expect(try findings(changed.known([0])) == ["group-key-not-on-curve share 0"])
  }

  @Test func `what a descriptor lacks or has twice is named`() throws {
    let sample = try ShareSample()
    func findings(_ change: (inout KeyShareDescriptor) -> Void) throws -> [String] {
      var changed = sample
      change(&changed.descriptors[0])
      return try changed.check([0]).sets[0].findings.map(\.id)
    }
    #expect(try findings { $0.curve = "curve25519" } == ["unknown-curve"])
    #expect(try findings { $0.groupPublicKey = Data() } == ["group-key-missing"])
    #expect(try findings { $0.ownPublicPoint = Data() } == ["own-point-missing"])
    #expect(try findings { $0.points.removeLast() } == ["points-missing"])
    #expect(try findings { $0.points[1].partyID = $0.points[2].partyID } == ["party-ids-unusable"])
    #expect(try findings { $0.points[1].partyID = Data() } == ["party-ids-unusable"])
    #expect(try findings { $0.points[1].partyID = Data(repeating: 1, count: 33) } == ["party-ids-unusable"])
    #expect(try findings { $0.threshold = 3 } == ["threshold-differs"])
    #expect(
      try findings { $0.points = Array(repeating: $0.points[0], count: 500) } == ["too-many-points"])
    let extreme = try findings {
      $0.threshold = .max
      $0.total = .max
      $0.partyIndex = .max
    }
    #expect(extreme.contains("threshold-differs"))
  }

  @Test func `without declared points the own ones are compared`() throws {
    var sample = try ShareSample(threshold: 2, total: 4)
    sample.change { $0.points = [] }
    #expect(try sample.check().isSound)
    sample.descriptors[2].ownPublicPoint = try sample.strangePoint()
    let publicOnly = sample.descriptors.map { KnownShare($0, secret: .absent) }
    #expect(try findings(publicOnly) == ["wrong-own-point share 2"])
    #expect(try findings([publicOnly[0], publicOnly[2]]) == ["own-points-do-not-fit share 0 share 2"])
    #expect(try findings([publicOnly[0]]) == ["too-few-points"])
  }

  @Test func `an archive's shares are told apart by wallet`() throws {
    var one = try ShareSample()
    var two = try ShareSample()
    #expect(
      try ShareCheck.run(one.known() + two.known(), grouping: .byWallet).sets.map(\.isSound) == [true, true])
    one.change { $0.walletID = PackedText.pack("savings") }
    two.change { $0.walletID = PackedText.pack("savings") }
    let report = try ShareCheck.run(one.known([0, 1]) + two.known([2]), grouping: .byWallet)
    #expect(report.sets.count == 1 && report.sets[0].findings.map(\.id) == ["mixed-key"])
  }

  @Test func `a wallet with the key's address is found, and one with another is noted`() throws {
    var sample = try ShareSample()
    sample.change { $0.walletID = PackedText.pack("savings") }
    let address = try #require(KeyAddresses(of: sample.groupKey, on: .secp256k1).evm)
    var wallet = Wallet()
    wallet.id = PackedText.pack("other")
    wallet.name = "Other"
    wallet.chainFamily = "evm"
    wallet.address = PackedText.pack(address.description)
    var report = try ShareCheck.run(sample.known(), grouping: .byWallet, wallets: [wallet])
    #expect(report.sets[0].wallets.map(\.name) == ["Other"])
    #expect(report.sets[0].wallets.map(\.address) == [address.description])
    wallet.id = PackedText.pack("savings")
    wallet.address = PackedText.pack("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
    report = try ShareCheck.run(sample.known(), grouping: .byWallet, wallets: [wallet])
    #expect(report.sets[0].wallets.isEmpty && report.isSound)
    #expect(report.sets[0].findings.map(\.id) == ["other-address"])
  }

  @Test func `no finding's sentence holds a secret`() throws {
    let sample = try ShareSample()
    let other = try ShareSample()
    let wrong = try KnownShare(sample.descriptors[0], secret: other.secrets[0], encodings: [.scalar])
    let report = try ShareCheck.run([wrong], grouping: .oneSet)
    let secret = other.secrets[0].bytes.withBytes { bytes in Hex.encode(bytes.indices.map { bytes[$0] }) }
    #expect(!"\(report)".contains(secret))
  }
}
