/// Splits a secret among people: enough shares recover it, and fewer reveal nothing.
///
/// See SLIP-0039.
public enum SLIP39 {
  /// The most members of a group, and the most groups.
  static let shareCountLimit = 16

  /// Splits a secret of 16 to 64 bytes, an even number, among one group.
  ///
  /// The shares have the empty passphrase and iteration exponent 1, and are not extendable.
  ///
  /// - Throws: ``SLIP39Error/parameters`` for numbers that the standard does not allow, ``SLIP39Error/crypto(_:)``.
  public static func split(
    _ secret: borrowing SecretBytes, threshold: Int, count: Int, identifier: UInt16,
    random: (Int) throws(CryptoError) -> SharedSecret = { (count) throws(CryptoError) in
      SharedSecret(try SecretBytes.random(count: count))
    }
  ) throws(SLIP39Error) -> [SLIP39Share] {
    guard 1...shareCountLimit ~= count, 1...count ~= threshold, threshold > 1 || count == 1,
      16...64 ~= secret.count, secret.count.isMultiple(of: 2), identifier < 1 << 15
    else { throw .parameters }
    let cipher = SLIP39Cipher(identifier: identifier, isExtendable: false, iterationExponent: 1)
    do throws(CryptoError) {
      let none = try SecretBytes(count: 0)
      let encrypted = SharedSecret(try cipher.encrypt(secret, passphrase: none))
      let points = try SharedPolynomial.split(encrypted, threshold: threshold, count: count, random: random)
      return points.map { point in
        SLIP39Share(
          identifier: identifier, isExtendable: false, iterationExponent: 1, groupIndex: 0, groupThreshold: 1,
          groupCount: 1, memberIndex: Int(point.x), memberThreshold: threshold, value: point.value)
      }
    } catch {
      throw .crypto(error)
    }
  }

  /// Recovers a secret from enough shares of enough groups, in any order.
  ///
  /// Extra shares must agree.
  ///
  /// A wrong passphrase yields a wrong secret, which cannot be detected here.
  ///
  /// - Throws: ``SLIP39Error/otherSet(share:)``, ``SLIP39Error/duplicateMember(share:)``,
  ///   ``SLIP39Error/tooFew(have:need:)``, ``SLIP39Error/tooFewGroups(have:need:)``, ``SLIP39Error/digest`` or
  ///   ``SLIP39Error/crypto(_:)``.
  public static func combine(
    _ shares: [SLIP39Share], passphrase: borrowing SecretBytes
  ) throws(SLIP39Error) -> SecretBytes {
    guard let one = shares.first else { throw .tooFew(have: 0, need: 1) }
    try check(shares)
    let groups = Dictionary(grouping: shares, by: \.groupIndex).sorted { $0.key < $1.key }.map(\.value)
    let complete = groups.filter { $0.count >= $0[0].memberThreshold }
    guard complete.count >= one.groupThreshold else {
      if let group = groups.first(where: { $0.count < $0[0].memberThreshold }) {
        throw .tooFew(have: group.count, need: group[0].memberThreshold)
      }
      throw .tooFewGroups(have: complete.count, need: one.groupThreshold)
    }
    var points: [SharedPolynomial.Point] = []
    for group in complete {
      let members = group.map { SharedPolynomial.Point(x: UInt8($0.memberIndex), value: $0.value) }
      let secret = try SharedPolynomial.recover(members, threshold: group[0].memberThreshold)
      points.append(SharedPolynomial.Point(x: UInt8(group[0].groupIndex), value: secret))
    }
    let encrypted = try SharedPolynomial.recover(points, threshold: one.groupThreshold)
    let cipher = SLIP39Cipher(
      identifier: one.identifier, isExtendable: one.isExtendable, iterationExponent: one.iterationExponent)
    do throws(CryptoError) {
      return try cipher.decrypt(encrypted.bytes, passphrase: passphrase)
    } catch {
      throw .crypto(error)
    }
  }

  /// Rejects a share that does not match most of the others, or repeats a member.
  private static func check(_ shares: [SLIP39Share]) throws(SLIP39Error) {
    let companions = shares.map { share in shares.count { share.belongs(with: $0) } }
    let most = companions.max() ?? 0
    let model = shares[companions.firstIndex(of: most) ?? 0]
    if let stranger = shares.firstIndex(where: { !model.belongs(with: $0) }) {
      throw .otherSet(share: stranger)
    }
    for (place, share) in shares.enumerated() {
      let before = shares[..<place]
      if let same = before.first(where: { $0.groupIndex == share.groupIndex }), !same.belongs(with: share) {
        throw .otherSet(share: place)
      }
      if before.contains(where: { $0.groupIndex == share.groupIndex && $0.memberIndex == share.memberIndex })
      {
        throw .duplicateMember(share: place)
      }
    }
  }
}

/// Encrypts a secret before it is split: four Feistel rounds keyed by the passphrase.
///
/// See SLIP-0039, section "Encryption of the master secret". With the empty passphrase it hides nothing, but
/// every program that combines shares expects it.
struct SLIP39Cipher {
  let identifier: UInt16
  let isExtendable: Bool
  let iterationExponent: Int

  func encrypt(
    _ secret: borrowing SecretBytes, passphrase: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    try pass(secret, passphrase: passphrase, rounds: [0, 1, 2, 3])
  }

  func decrypt(
    _ secret: borrowing SecretBytes, passphrase: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    try pass(secret, passphrase: passphrase, rounds: [3, 2, 1, 0])
  }

  private func pass(
    _ secret: borrowing SecretBytes, passphrase: borrowing SecretBytes, rounds: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    guard secret.count.isMultiple(of: 2) else { throw .invalidLength }
    let half = secret.count / 2
    var left = try secret.copy(0..<half)
    var right = try secret.copy(half..<secret.count)
    for round in rounds {
      let pad = try pad(round: round, passphrase: passphrase, half: right)
      left.withMutableBytes { left in
        pad.withBytes { pad in
          for index in left.indices { left[index] ^= pad[index] }
        }
      }
      swap(&left, &right)
    }
    return try Self.join(right, left)
  }

  private func pad(
    round: UInt8, passphrase: borrowing SecretBytes, half: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let beginning =
      isExtendable
      ? [] : Array("shamir".utf8) + [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier)]
    let key = try Self.join(try SecretBytes(copying: [round].span), passphrase)
    let salt = try Self.join(try SecretBytes(copying: beginning.span), half)
    return try PBKDF2.derive(
      from: key, salt: salt, iterations: (10_000 << iterationExponent) / 4, count: half.count)
  }

  private static func join(
    _ first: borrowing SecretBytes, _ second: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let length = first.count
    var whole = try SecretBytes(count: length + second.count)
    whole.withMutableBytes { whole in
      first.withBytes { first in
        for index in first.indices { whole[index] = first[index] }
      }
      second.withBytes { second in
        for index in second.indices { whole[length + index] = second[index] }
      }
    }
    return whole
  }
}

/// Why a share's words are invalid, or shares do not combine.
///
/// `share` is the position of the wrong share among those given, from 0.
public enum SLIP39Error: Error, Hashable, Sendable {
  /// The number of words fits no share.
  case wordCount(Int)
  /// The word at this place, from 1, is not in the list.
  case unknownWord(place: Int)
  /// The checksum does not verify: a word is wrong, or words are out of order.
  case checksum
  /// Padding bits are not zero.
  case padding
  /// The thresholds and counts contradict each other or are impossible.
  case parameters
  /// The share belongs to another set than the others.
  case otherSet(share: Int)
  /// The share repeats a member already present.
  case duplicateMember(share: Int)
  /// A group needs more of its members.
  case tooFew(have: Int, need: Int)
  /// More groups must be complete.
  case tooFewGroups(have: Int, need: Int)
  /// Each share is valid, but together they are inconsistent: one is forged or belongs to another secret.
  case digest
  /// Memory for a secret could not be allocated, or a derivation failed.
  case crypto(CryptoError)
}
