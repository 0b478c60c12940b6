import FoundationEssentials
import TestSupport

/// A file of Wycheproof: complete if the fixtures are available, else an excerpt.
///
/// Only the members used by tests are read.
struct Wycheproof<Group: Decodable>: Decodable {
  let testGroups: [Group]

  static func read(_ name: String) throws -> [Group] {
    let contents =
      Fixtures.folder("wycheproof") != nil
      ? try Fixtures.file("wycheproof/\(name)_test.json") : try Published.file("wycheproof-\(name).json")
    return try JSONDecoder().decode(Wycheproof.self, from: Data(contents)).testGroups
  }
}

/// A party's file of a tss-lib key generation.
///
/// Only the members used by tests are read.
struct KeyGeneration {
  let share: [UInt8]
  let publicShare: (x: [UInt8], y: [UInt8])

  /// Reads the party's file and selects its own public share.
  static func read(_ path: String) throws -> KeyGeneration? {
    let text = String(decoding: try Fixtures.file(path), as: UTF8.self)
    let identifiers = numbers(in: text, after: "\"Ks\":", count: 5)
    let coordinates = numbers(in: text, after: "\"BigXj\":", count: 10)
    guard let share = numbers(in: text, after: "\"Xi\":", count: 1).first,
      let identifier = numbers(in: text, after: "\"ShareID\":", count: 1).first,
      let party = identifiers.firstIndex(of: identifier), coordinates.count == 10
    else { return nil }
    return KeyGeneration(share: share, publicShare: (coordinates[2 * party], coordinates[2 * party + 1]))
  }

  // The numbers are plain JSON numbers with 77 digits, which no available JSON parser keeps. Only longer
  // digit sequences count, because a name such as "ed25519" has digits too.
  private static func numbers(in text: String, after label: String, count: Int) -> [[UInt8]] {
    guard let label = text.firstRange(of: label) else { return [] }
    let digits = text[label.upperBound...].prefix(4096).split { !$0.isNumber }
    return digits.filter { $0.count > 20 }.prefix(count).map(bigEndian)
  }

  private static func bigEndian(_ decimal: Substring) -> [UInt8] {
    var number = [UInt8](repeating: 0, count: 32)
    for digit in decimal {
      var carry = digit.wholeNumberValue ?? 0
      for index in number.indices.reversed() {
        carry += Int(number[index]) * 10
        number[index] = UInt8(carry & 255)
        carry >>= 8
      }
    }
    return number
  }
}
