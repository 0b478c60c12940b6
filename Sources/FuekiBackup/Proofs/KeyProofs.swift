internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

extension ProofLedger {
  /// Takes a record of section 65: a private key or seed phrase.
  mutating func prove(secretRecord message: Span<UInt8>) throws {
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
