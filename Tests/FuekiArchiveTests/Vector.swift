import FoundationEssentials
import TestSupport
import Testing

/// An archive of TestVectors/archives with the expected result.
///
/// TestVectors/README.md explains the keys.
struct Vector: Sendable, CustomTestStringConvertible {
  let name: String
  let facts: VectorFile

  var testDescription: String { name }

  static let all: [Vector] = (try? loadAll()) ?? []

  private static func loadAll() throws -> [Vector] {
    try TestVectors.names().map { name in
      let json = try TestVectors.file("archives/\(name).json")
      return Vector(name: name, facts: try JSONDecoder().decode(VectorFile.self, from: Data(json)))
    }
  }

  static func named(_ name: String) throws -> Vector { try #require(all.first { $0.name == name }) }

  /// Returns the archive's bytes.
  func bytes() throws -> [UInt8] { try TestVectors.archive(name) }
}

/// The depth of reading an archive.
enum Depth: String, Decodable, CaseIterable, Comparable {
  case structure, checksums, open, contents

  static func < (a: Self, b: Self) -> Bool { a.place < b.place }
  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A vector's JSON, with all possible keys but those of ``StoredVector``.
struct VectorFile: Decodable, Sendable {
  let description: String
  let reader: Reader
  let depth: Depth
  let verdict: String
  /// The verdict of ``depth`` and the messages, at which this module does not look.
  let messages: String?
  let damage: [String]?
  let opens: Bool?
  let reported: [String]?
  let archive: Contents?
  let keyShares: [KeyShare]?
  let shares: Shares?
  let salvaged: Salvaged?
  let result: [Result]?

  struct Reader: Decodable {
    let passphrases: [String]?
    let keyFile: String?
    let identities: [String]?
    let guardiansKey: String?
    let trustedSigners: [String]?
    let known: Known?
    let largeDerivation: Bool?
    let plaintextLimit: UInt64?
    var shares: [String]? = nil
    var salvage: Bool? = nil
    var plugin: Plugin? = nil
    var bases: [String]? = nil

    enum CodingKeys: String, CodingKey, CaseIterable {
      case passphrases, identities, known, shares, salvage, plugin, bases
      case keyFile = "key_file"
      case guardiansKey = "guardians_key"
      case trustedSigners = "trusted_signers"
      case largeDerivation = "large_derivation"
      case plaintextLimit = "plaintext_limit"
    }
  }

  /// An age plugin's identity, and the plugin's results for each slot of its type.
  struct Plugin: Decodable {
    let identity: String
    let fileKeys: [String?]

    enum CodingKeys: String, CodingKey {
      case identity
      case fileKeys = "file_keys"
    }
  }

  struct Known: Decodable {
    let sequence: UInt64
    let digest: String
  }

  struct Contents: Decodable {
    let digest: String
    let minor: UInt16
    let vault: String
    let sequence: UInt64
    let previous: String
    let created: UInt64
    let signer: String?
    let slots: [Slot]
    let unknownFields: [UInt16]
    let chunks: [UInt64]
    let scopes: [String]
    let bundleChecksum: String?
    let sections: [Section]

    enum CodingKeys: String, CodingKey {
      case digest, minor, vault, sequence, previous, created, signer, slots, chunks, scopes, sections
      case unknownFields = "unknown_fields"
      case bundleChecksum = "bundle_checksum"
    }
  }

  struct Slot: Decodable {
    let type: Int
    let mask: UInt8
  }

  struct Section: Decodable {
    let id: UInt16
    let records: UInt64
    let bytes: UInt64
    let sha256: String
  }

  /// A section of a differential archive's history, joined with its base.
  struct Result: Decodable {
    let id: UInt16
    let records: Int
    let sha256: String
  }

  struct KeyShare: Decodable {
    let id: String
    let secret: String?
    let verdict: String?
  }

  struct Shares: Decodable {
    let missing: Int
    let problems: [Problem]

    struct Problem: Decodable {
      let place: Int
      let fault: String
    }
  }

  struct Salvaged: Decodable {
    let proven: Bool
    let lostScopes: [String]
    let sections: [Section]

    struct Section: Decodable {
      let id: UInt16
      let lost: UInt64
      let gaps: [Gap]
      let sha256: String
    }

    struct Gap: Decodable {
      let bytes: [UInt64]
      let after: UInt64
    }

    enum CodingKeys: String, CodingKey {
      case proven, sections
      case lostScopes = "lost_scopes"
    }
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case description, reader, depth, verdict, damage, opens, reported, archive
    case shares, salvaged, result, messages
    case keyShares = "key_shares"
  }
}

/// The arbitrary keys of a JSON object.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
