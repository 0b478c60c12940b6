internal import FoundationEssentials
internal import FuekiWallet
package import FuekiCrypto

extension ProofLedger {
  /// Takes a record of section 65: a private key or seed phrase.
  package mutating func prove(secretRecord message: Span<UInt8>) throws {
    let record: PrivateKeyRecord
    do throws(SecretRecordError) {
      record = try PrivateKeyRecord(decoding: message)
    } catch {
      guard error != .outOfMemory else { throw CryptoError.outOfMemory }
      return note(Proof.of(key: [], "", .notChecked(.form(kind: "record"))))
    }
    try prove(key: record)
  }

  /// Takes a private key or seed phrase.
  mutating func prove(key record: PrivateKeyRecord) throws {
    let owners = record.walletID.map(places(of:)) ?? []
    switch record.kind {
    case "private-key": try prove(record, owners)
    case "seed-phrase": try prove(seedPhrase: record, owners)
    // No wallet's key, so there is no address to compare.
    case PrivateKeyRecord.endpointKey: break
    default: note(.form(kind: record.kind), record, owners)
    }
  }

  private mutating func prove(_ record: PrivateKeyRecord, _ owners: [Int]) throws {
    let isSolana = owners.contains { wallets[$0].addresses.contains { $0.family == .other("solana") } }
    guard let (key, curve) = try isSolana ? record.ed25519Key : record.secp256k1Key else {
      return note(.form(kind: record.kind), record, owners)
    }
    let derived = try DerivedAddresses(of: key, on: curve)
    let places = owners.isEmpty ? self.places(having: derived) : owners
    guard !places.isEmpty else { return note(.noWallet(derived: derived.anyText), record, []) }
    for place in places {
      note(wallets[place].compare(derived, from: .privateKey, isCertain: true), of: place)
    }
  }

  mutating func note(_ gap: Proof.Gap, _ record: PrivateKeyRecord, _ owners: [Int]) {
    guard !owners.isEmpty else { return note(Proof.of(key: record.id, record.name, .notChecked(gap))) }
    for place in owners {
      note(
        Evidence(address: wallets[place].addresses.first?.text ?? "", result: .notChecked(gap)), of: place)
    }
  }
}

extension Proof {
  fileprivate static func of(key id: [UInt8], _ name: String, _ result: Result) -> Proof {
    Proof(subject: .privateKey, id: id, name: name, address: "", result: result)
  }
}

extension PrivateKeyRecord {
  /// The public key; nil if the secret has an unknown form, or is no key.
  fileprivate var secp256k1Key: ([UInt8], Curve)? {
    get throws {
      guard let scalar = try SpelledKey.scalar(of: secret.bytes) else { return nil }
      do throws(CryptoError) {
        return (try CurvePoint.multiplyBase(scalar, on: .secp256k1), .secp256k1)
      } catch .invalidKey {
        return nil
      }
    }
  }

  /// The public key of a seed, behind which Solana's files have the public key once more.
  fileprivate var ed25519Key: ([UInt8], Curve)? {
    get throws {
      guard secret.bytes.count == 32 || secret.bytes.count == 64 else { return nil }
      let seed = try secret.bytes.copy(0..<Ed25519.seedByteCount)
      return (try Ed25519.publicKey(seed: seed).bytes, .ed25519)
    }
  }
}

/// A private key of secp256k1 in one of the spellings that wallets keep: 32 bytes, 64 hexadecimal digits with or without
/// `0x`, or Bitcoin's wallet import format.
package enum SpelledKey {
  /// The key's 32 bytes; nil for any other spelling.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  package static func scalar(of secret: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
    switch secret.count {
    case Curve.scalarByteCount: return try secret.copy(0..<Curve.scalarByteCount)
    case 64: return try hexadecimal(secret, from: 0)
    case 66:
      let hasPrefix = secret.withBytes { $0[0] == 0x30 && $0[1] | 0x20 == 0x78 }
      guard hasPrefix else { return nil }
      return try hexadecimal(secret, from: 2)
    case 51, 52: return try walletImportFormat(secret)
    default: return nil
    }
  }

  private static func hexadecimal(
    _ digits: borrowing SecretBytes, from start: Int
  ) throws(CryptoError) -> SecretBytes? {
    var key = try SecretBytes(count: Curve.scalarByteCount)
    let areDigits = digits.withBytes { digits in
      key.withMutableBytes { key in
        for place in 0..<Curve.scalarByteCount {
          guard let high = value(digits[start + 2 * place]), let low = value(digits[start + 2 * place + 1])
          else { return false }
          key[place] = high << 4 | low
        }
        return true
      }
    }
    guard areDigits else { return nil }
    return key
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

  /// A version byte, the key, a byte 1 where the public key's short encoding is meant, and a checksum.
  private static func walletImportFormat(
    _ text: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes? {
    let count = text.count == 52 ? 38 : 37
    var number = try SecretBytes(count: count)
    let fits = text.withBytes { text in
      number.withMutableBytes { number in
        for place in text.indices {
          guard var carry = alphabet.firstIndex(of: text[place]) else { return false }
          for index in (0..<count).reversed() {
            carry += Int(number[index]) * 58
            number[index] = UInt8(carry & 0xff)
            carry >>= 8
          }
          guard carry == 0 else { return false }
        }
        return true
      }
    }
    guard fits else { return nil }
    let payload = count - 4
    let isWhole = number.withBytes { bytes in
      let inner = SHA256.hash(bytes.extracting(0..<payload)).bytes
      let checksum = SHA256.hash(inner.span).bytes
      return (0..<4).allSatisfy { bytes[payload + $0] == checksum[$0] }
        && (count == 37 || bytes[payload - 1] == 1)
    }
    guard isWhole else { return nil }
    return try number.copy(1..<1 + Curve.scalarByteCount)
  }
}

extension ProofLedger {
  /// Compares the addresses that wallets' descriptors derive, unless a key has already proved them.
  ///
  /// A descriptor is public: it proves that its wallet can be watched, and that its path is the right one.
  package mutating func proveDescriptors() {
    for place in wallets.indices {
      let wallet = wallets[place]
      guard !wallet.descriptors.isEmpty, !wallet.addresses.isEmpty else { continue }
      note(evidence(of: wallet), of: place)
    }
  }

  private func evidence(of wallet: ProvenWallet) -> Evidence {
    let stated = wallet.addresses[0].text
    do throws(DescriptorError) {
      guard let network = BitcoinNetwork.named(wallet.chainID) else { throw .otherNetwork }
      var first: String?
      for text in wallet.descriptors {
        let descriptor = try Descriptor(parsing: text)
        let indices = descriptor.isRanged ? wallet.indices : 0..<1
        for branch in 0..<descriptor.branchCount {
          for index in indices {
            let derived = try descriptor.address(at: index, branch: branch, network: network)
            let key = AddressKey.bitcoin(network: network.name, derived)
            if let same = wallet.addresses.first(where: { $0.key == key }) {
              return Evidence(address: same.text, result: .proved(by: .descriptor))
            }
            first = first ?? derived
          }
        }
      }
      guard wallet.isKnownWhereToLook, let first else {
        return Evidence(
          address: stated, result: .notChecked(.beyond(indices: wallet.indices.upperBound)))
      }
      return Evidence(
        address: stated, result: .differs(.descriptor, .otherAddress(derived: first)))
    } catch {
      return Evidence(address: stated, result: .notChecked(.descriptor(error)))
    }
  }
}
