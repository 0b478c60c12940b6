internal import FoundationEssentials

/// Collects sentences about one record.
struct Findings {
  private(set) var sentences: [String] = []

  mutating func check(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { sentences.append(sentence()) }
  }

  mutating func id(_ id: Data) {
    check(!id.isEmpty, "there is no id")
    packed("the id", id)
  }

  mutating func packed(_ what: String, _ value: Data) {
    check(PackedText.isCanonical(value), "\(what) is not a packed text")
  }

  mutating func known(_ what: String, _ text: String, _ isKnown: Bool) {
    check(isKnown || text.isEmpty, "\(what) \"\(text)\" is not known")
  }

  mutating func amount(_ what: String, _ text: String) {
    check(Amount(text) != nil, "\(what) \"\(text)\" is not a decimal number")
  }

  mutating func evmChainID(_ text: String) {
    let isDecimal = !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && text.utf8.first != 0x30
    check(isDecimal, "the chain id \"\(text)\" is not a decimal number")
  }

  mutating func address(_ what: String, _ packed: Data, _ family: ChainFamily, _ chainID: String) {
    guard !packed.isEmpty else { return }
    guard let text = PackedText.text(packed) else { return self.packed(what, packed) }
    guard let problem = ChainAddress.problem(address: text, family: family, chainID: chainID) else { return }
    sentences.append("\(what) \(text) \(problem.sentence)")
  }

  mutating func checkpoints(of wallet: Wallet) {
    if wallet.hasBirthday { packed("the birthday's hash", wallet.birthday.hash) }
    if wallet.hasLastSynced { packed("the last synced block's hash", wallet.lastSynced.hash) }
    for checkpoint in wallet.earlierCheckpoints { packed("an earlier block's hash", checkpoint.hash) }
    guard wallet.hasBirthday, wallet.hasLastSynced else { return }
    check(
      wallet.birthday.height <= wallet.lastSynced.height,
      "the wallet was synced to height \(wallet.lastSynced.height), before its birthday at \(wallet.birthday.height)"
    )
  }

  mutating func points(of descriptor: KeyShareDescriptor) {
    let length: Int
    switch descriptor.curve {
    case "secp256k1", "p256", "stark": length = 33
    case "ed25519", "ristretto255": length = 32
    default: return check(descriptor.curve.isEmpty, "the curve \"\(descriptor.curve)\" is not known")
    }
    for (what, point) in [
      ("the group's public key", descriptor.groupPublicKey),
      ("the share's own point", descriptor.ownPublicPoint),
    ] {
      check(
        point.isEmpty || point.count == length,
        "\(what) has \(point.count) bytes, where \(descriptor.curve) has \(length)")
    }
    for (i, point) in descriptor.points.enumerated() {
      check(
        point.point.count == length,
        "point \(i) has \(point.point.count) bytes, where \(descriptor.curve) has \(length)")
      check(point.partyID.count <= 32, "the party id of point \(i) has more than 32 bytes")
    }
    check(descriptor.partyID.count <= 32, "the party id has more than 32 bytes")
  }
}

/// Checks addresses by chain.
public enum ChainAddress {
  /// Checks an address; nil if it is valid, or its family or network is unknown.
  public static func problem(address: String, family: ChainFamily, chainID: String) -> AddressProblem? {
    switch family {
    case .evm:
      do throws(AddressProblem) {
        _ = try EVMAddress(address)
        return nil
      } catch {
        return error
      }
    case .bitcoin: return BitcoinNetwork.named(chainID)?.problem(with: address)
    case .other: return nil
    }
  }
}
