internal import Crypto
internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem

extension TestVectors {
  /// Returns the names of all vectors.
  package static func names() throws -> [String] {
    try Directory.open("\(folder)/archives").list().compactMap(\.text)
      .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// Returns the bytes of a vector's archive, after comparing them with its digest.
  package static func archive(_ name: String) throws -> [UInt8] {
    let vector = try JSONDecoder().decode(StoredVector.self, from: Data(file("archives/\(name).json")))
    let base = vector.sealed == nil ? try file("archives/\(vector.base ?? name).fueki") : []
    let bytes = try vector.bytes(from: base)
    guard bytes.count == vector.length, FuekiCrypto.SHA256.hash(bytes).hex == vector.sha256 else {
      throw OtherBytes(name: name)
    }
    return bytes
  }

  /// A vector whose bytes are not those of its digest.
  private struct OtherBytes: Error {
    let name: String
  }
}

/// The keys of a vector that say what its archive's bytes are (TestVectors/README.md).
package struct StoredVector: Decodable {
  let length: Int
  let sha256: String
  let base: String?
  let edits: [Edit]?
  let sealed: [Stream]?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case length, sha256, base, edits, sealed
  }

  struct Edit: Decodable {
    let offset: Int
    let remove: Int
    let insert: String
    let `repeat`: Int?
  }

  struct Stream: Decodable {
    let offset: Int
    let key: String
    let chunks: Int

    /// Seals the stream's chunks, which are in plain, where they are.
    func seal(in bytes: inout [UInt8]) throws {
      let key = SymmetricKey(data: Hex.decode(key) ?? [])
      for chunk in 0..<chunks {
        let number = UInt64(chunk) | (chunk == chunks - 1 ? 1 << 63 : 0)
        let nonce = [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        let start = offset + 16_400 * chunk
        let box = try ChaChaPoly.seal(
          bytes[start..<start + 16_384], using: key, nonce: ChaChaPoly.Nonce(data: nonce))
        bytes.replaceSubrange(start..<start + 16_400, with: box.ciphertext + box.tag)
      }
    }
  }

  fileprivate func bytes(from base: [UInt8]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var position = 0
    for edit in edits ?? [] {
      bytes += base[position..<edit.offset]
      let insert = Hex.decode(edit.insert) ?? []
      for _ in 0..<(edit.repeat ?? 1) { bytes += insert }
      position = edit.offset + edit.remove
    }
    bytes += base[position...]
    for stream in sealed ?? [] { try stream.seal(in: &bytes) }
    return bytes
  }
}
