internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// Converts the members of OWND's `backup.txt` to records.
///
/// Claims are texts in the first version of iOS, objects with `claimKey` in its second, and with `name` on
/// Android. They show the platform, which determines the meaning of other fields.
enum OWNDRecords {
  private static let idTokenList = "idTokenSharingHistories"
  private static let credentialList = "credentialSharingHistories"

  static func records(_ root: GuardedValue, byteCount: Int) throws -> ImportedRecords {
    guard root.kind == .object, root.member("seed") != nil || root.member(credentialList) != nil else {
      throw ForeignFileError.notThisFormat(reason: "backup.txt is not the OWND wallet's")
    }
    var records = ImportedRecords()
    records.budget.read(byteCount)
    let histories = root.member(credentialList)?.elements.compactMap(\.disclosed) ?? []
    let platform = histories.lazy.compactMap(platform).first ?? ""
    for history in histories {
      let sharing = credentialSharing(history, platform)
      if records.admits(sharing) { records.credentialSharing.append(sharing) }
    }
    for history in root.member(idTokenList)?.elements.compactMap(\.disclosed) ?? [] {
      let sharing = idTokenSharing(history, platform)
      if records.admits(sharing) { records.idTokenSharing.append(sharing) }
    }
    try records.checkLimits()
    if let seed = try root.member("seed")?.secret(), seed.bytes.count > 0 {
      records.privateKeys.append(
        PrivateKeyRecord(
          id: ForeignNames.secret(seed), walletID: nil, kind: "ownd-seed", name: "OWND wallet",
          secret: seed, createdAt: nil))
    } else {
      records.exclude("seed", "there is none in the backup", loss: .possible)
    }
    for member in root.members where !["seed", idTokenList, credentialList].contains(member.name) {
      records.exclude(member.name, "a part of the backup that is not known here", loss: .possible)
    }
    // A known limitation, which does not make the backup incomplete.
    records.exclude("credentials", "the OWND wallet does not export them", loss: .none)
    return records
  }

  private static func platform(_ history: JSONValue) -> String? {
    guard let claim = history.member("claims")?.children.first(where: { _ in true }) else { return nil }
    if claim.string != nil || claim.member("claimKey") != nil { return "ios" }
    return claim.member("name") == nil ? nil : "android"
  }

  private static func idTokenSharing(_ object: JSONValue, _ platform: String) -> IdTokenSharing {
    var members = MemberReader(object)
    var sharing = IdTokenSharing()
    sharing.id = ForeignNames.packed("ownd id-token", object.source)
    sharing.platform = platform
    sharing.rp = members.text("rp")
    if let index = members.index("accountIndex") { sharing.accountIndex = index }
    if let time = members.time("createdAt") { sharing.createdAt = time }
    sharing.extra = members.extra
    return sharing
  }

  private static func credentialSharing(_ object: JSONValue, _ platform: String) -> CredentialSharing {
    var members = MemberReader(object)
    var sharing = CredentialSharing()
    sharing.id = ForeignNames.packed("ownd credential", object.source)
    sharing.platform = platform
    sharing.rp = members.text("rp")
    if let index = members.index("accountIndex") { sharing.accountIndex = index }
    if let time = members.time("createdAt") { sharing.createdAt = time }
    sharing.credentialID = members.text("credentialID")
    if let claims = object.member("claims"), claims.kind == .array {
      let read = claims.children.map(claim)
      if !read.contains(where: { $0 == nil }) {
        sharing.claims = read.compactMap { $0 }
        members.drop("claims")
      }
    }
    if let name = members.optionalText("rpName") { sharing.rpName = name }
    if let url = members.optionalText("privacyPolicyUrl") { sharing.privacyPolicyURL = url }
    if let url = members.optionalText("logoUrl") { sharing.logoURL = url }
    if let location = members.optionalText("rpLocation") { sharing.rpLocation = location }
    if let url = members.optionalText("rpContactUrl") { sharing.rpContactURL = url }
    sharing.extra = members.extra
    return sharing
  }

  /// Parses a claim in one of its three forms; nil for another.
  private static func claim(_ value: JSONValue) -> Claim? {
    var claim = Claim()
    if let name = value.string {
      claim.key = name
      return claim
    }
    var members = MemberReader(value)
    guard let key = members.optionalText("claimKey") ?? members.optionalText("name"),
      let text = members.optionalText("claimValue") ?? members.optionalText("value")
    else { return nil }
    claim.key = key
    claim.value = text
    if let purpose = members.optionalText("purpose") { claim.purpose = purpose }
    return members.extra.isEmpty ? claim : nil
  }
}

extension MemberReader {
  /// Reads a small whole number.
  fileprivate mutating func index(_ name: String) -> UInt32? { count(name).map { UInt32(clamping: $0) } }
}

/// An encoded record of the OWND wallet.
///
/// Its bytes are passed to each call.
struct OWNDItem {
  /// Its position in the file, from 1.
  let number: Int
  let fields: [WireField]
  /// Its kind, judged by its fields; nil if ambiguous.
  let kind: OWNDStore.Kind?

  /// Finds the fields of a message.
  init(_ message: Span<UInt8>, number: Int) throws(OWNDStoreError) {
    var reader = WireReader()
    var fields: [WireField] = []
    do throws(WireError) {
      while fields.count <= ImportLimits.fieldsOfRecord, let field = try reader.next(in: message) {
        fields.append(field)
      }
    } catch {
      throw .malformed(error, record: number)
    }
    guard fields.count <= ImportLimits.fieldsOfRecord else { throw .tooManyFields(record: number) }
    self.number = number
    self.fields = fields
    kind = Self.kind(fields, message)
  }

  private static func kind(_ fields: [WireField], _ message: Span<UInt8>) -> OWNDStore.Kind? {
    var kind: OWNDStore.Kind?
    for field in fields {
      switch (field.number, field.value) {
      case (2, .content), (5, .varint), (7, .varint), (8, .varint), (11, _): return .credential
      // A credential is text, while a time starts with a field's tag.
      case (3, .content(let range)) where !range.isEmpty && message[range.lowerBound] >= 0x20:
        return .credential
      case (4...10, .content): kind = .credentialSharing
      case (1, .content), (3, .content): kind = kind ?? .idTokenSharing
      default: break
      }
    }
    return kind
  }

  // MARK: fields

  /// Returns a singular field.
  private func once(_ field: UInt32) throws(OWNDStoreError) -> WireField? {
    let found = fields.filter { $0.number == field }
    guard found.count < 2 else { throw .malformed(.repeated(field: field), record: number) }
    return found.first
  }

  /// Returns a text; nil if it is absent, which also encodes an empty one.
  func text(_ field: UInt32, in message: Span<UInt8>) throws(OWNDStoreError) -> String? {
    guard let found = try once(field) else { return nil }
    do throws(WireError) {
      return try found.text(in: message)
    } catch {
      throw .malformed(error, record: number)
    }
  }

  /// Returns a number of type `int64`; nil if it is absent, which also encodes zero.
  func integer(_ field: UInt32) throws(OWNDStoreError) -> Int64? {
    guard let found = try once(field) else { return nil }
    do throws(WireError) {
      return Int64(bitPattern: try found.varint())
    } catch {
      throw .malformed(error, record: number)
    }
  }

  /// Returns a number of type `int32`, which is encoded like an `int64`.
  func smallInteger(_ field: UInt32) throws(OWNDStoreError) -> Int32? {
    guard let whole = try integer(field) else { return nil }
    guard let value = Int32(exactly: whole) else {
      throw .malformed(.invalidValue(field: field), record: number)
    }
    return value
  }

  /// Returns an instant, encoded as seconds and nanoseconds since 1970.
  func time(_ field: UInt32, in message: Span<UInt8>) throws(OWNDStoreError) -> WireTime? {
    guard let found = try once(field) else { return nil }
    do throws(WireError) {
      guard let time = try WireTime(message.extracting(found.content())) else {
        throw .invalidValue(field: field)
      }
      return time
    } catch {
      throw .malformed(error, record: number)
    }
  }

  /// Returns the remaining fields unchanged.
  func extra(beyond last: UInt32, in message: Span<UInt8>) -> [Extra] {
    fields.filter { $0.number > last }.map { Extra("field\($0.number)", json: $0.json(in: message)) }
  }
}

/// A `google.protobuf.Timestamp`.
struct WireTime {
  let microseconds: Int64
  /// The part finer than a microsecond.
  let nanoseconds: Int64

  private static let years1To9999: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Parses the message; nil if it is out of range or has other fields.
  init?(_ message: Span<UInt8>) throws(WireError) {
    var reader = WireReader()
    var parts: [UInt32: Int64] = [:]
    while let field = try reader.next(in: message) {
      guard 1...2 ~= field.number,
        parts.updateValue(Int64(bitPattern: try field.varint()), forKey: field.number) == nil
      else { return nil }
    }
    let (seconds, fraction) = (parts[1] ?? 0, parts[2] ?? 0)
    guard Self.years1To9999 ~= seconds, 0..<1_000_000_000 ~= fraction else { return nil }
    microseconds = seconds * 1_000_000 + fraction / 1000
    nanoseconds = fraction % 1000
  }
}

extension WireField {
  /// Returns the field's value for a record's `extra`: a number, a text, or an object with hexadecimal bytes.
  func json(in message: Span<UInt8>) -> String {
    switch value {
    case .varint(let number), .fixed64(let number): return String(number)
    case .fixed32(let number): return String(number)
    case .content(let range):
      let bytes = message.extracting(range)
      if let text = try? UTF8Span(validating: bytes) { return JSONText.quoted(String(copying: text)) }
      return #"{"hex":"\#(Hex.encode(bytes.copied()))"}"#
    }
  }
}
