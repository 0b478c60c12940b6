internal import FuekiWallet

/// Reads required members of an answer, which is malformed without them.
struct ServerAnswer: Sendable {
  let value: JSONValue
  /// The subject of the request, for messages.
  let subject: String

  init(_ value: JSONValue, of subject: String) {
    self.value = value
    self.subject = subject
  }

  /// Parses a successful response as JSON.
  init(_ response: HTTPResponse, of subject: String) throws(SyncError) {
    let body = try response.successful()
    do throws(JSONError) {
      value = try JSONDocument(body, limit: body.count).root
    } catch {
      throw .notJSON(error, of: subject)
    }
    self.subject = subject
  }

  /// Returns a member that is not null; nil if it is missing.
  func optional(_ name: String) -> ServerAnswer? {
    guard let member = value.member(name), member.kind != .null else { return nil }
    return ServerAnswer(member, of: "\(subject), \(name)")
  }

  subscript(_ name: String) -> ServerAnswer {
    get throws(SyncError) {
      guard let member = optional(name) else { throw .malformed(what: "\(subject) has no \(name)") }
      return member
    }
  }

  /// The elements of an array.
  var elements: [ServerAnswer] {
    get throws(SyncError) {
      guard value.kind == .array else { throw wrong("list") }
      return value.children.map { ServerAnswer($0, of: subject) }
    }
  }

  var text: String {
    get throws(SyncError) {
      guard let text = value.string else { throw wrong("text") }
      return text
    }
  }

  /// 32 bytes in hexadecimal, as in hashes of blocks and transactions.
  var hash: String {
    get throws(SyncError) {
      let text = try text
      guard text.utf8.count == 64, text.utf8.allSatisfy(Self.isLowerHex) else { throw wrong("hash") }
      return text
    }
  }

  var isTrue: Bool {
    get throws(SyncError) {
      guard let boolean = value.boolean else { throw wrong("truth value") }
      return boolean
    }
  }

  var count: UInt64 {
    get throws(SyncError) {
      guard let count = value.number.flatMap({ UInt64($0) }) else { throw wrong("count") }
      return count
    }
  }

  /// A whole number, possibly negative.
  var integer: Int64 {
    get throws(SyncError) {
      guard let integer = value.number.flatMap({ Int64($0) }) else { throw wrong("whole number") }
      return integer
    }
  }

  /// The height of a block.
  var height: UInt64 {
    get throws(SyncError) {
      let height = try count
      guard height <= CoinBounds.highestHeight else { throw wrong("height") }
      return height
    }
  }

  /// An amount or sum in the smallest unit, limited only by its type.
  var units: Int128 {
    get throws(SyncError) { Int128(try count) }
  }

  /// Returns an amount in the smallest unit, limited by the supply.
  func units(_ bounds: CoinBounds) throws(SyncError) -> Int128 {
    let units = try units
    guard units <= bounds.supply else { throw wrong("amount") }
    return units
  }

  /// Returns an amount in the smallest unit, possibly negative.
  func change(_ bounds: CoinBounds) throws(SyncError) -> Int128 {
    let change = Int128(try integer)
    guard change.magnitude <= bounds.supply.magnitude else { throw wrong("amount") }
    return change
  }

  /// Returns an amount of coins with eight decimals, in the smallest unit, possibly negative.
  func coins(_ bounds: CoinBounds) throws(SyncError) -> Int128 {
    // Longer texts are not amounts, and sums must not overflow.
    guard let number = value.number, number.utf8.count <= 30, let amount = Amount(number),
      let units = Int128(amount.multiplied(byPowerOfTen: 8).canonicalText),
      units.magnitude <= bounds.supply.magnitude
    else { throw wrong("amount") }
    return units
  }

  /// Seconds since 1970, converted to a record's microseconds.
  var time: Int64 {
    get throws(SyncError) {
      // Block times have 32 bits.
      guard let seconds = try UInt32(exactly: count) else { throw wrong("time") }
      return Int64(seconds) * 1_000_000
    }
  }

  private func wrong(_ kind: String) -> SyncError { .malformed(what: "\(subject) is no \(kind)") }

  static func isLowerHex(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || 0x61...0x66 ~= byte }
}
