internal import FoundationEssentials
internal import FuekiSystem
internal import FuekiWallet
package import FuekiSources
package import FuekiCrypto

extension CollectorKind {
  static let ownd = CollectorKind(
    OWNDCollector.kind, "backups of the OWND wallet (ZIP), and its own files (.pb)", reach: .folder,
    guide: .wholeKits,
    programs: [
      WalletProgram(
        id: "ownd-export", title: "OWND wallet backup",
        places: [.export("*ownd*.zip", kind: "ownd", .never, .clearSecret)])
    ],
    fileNames: WalletNames(exact: OWNDStore.fileNames, certain: ["*ownd*.zip"], possible: ["*.pb"]),
    what: "file of the OWND wallet",
    recognises: { OWNDCollector.isZIP($0) ? $0.contains("backup.txt") : OWNDStore.isLikely($0) },
    look: OWNDCollector.look)
}

/// A backup of the OWND wallet, or its own files.
///
/// The backup is a ZIP file with one entry, `backup.txt`: the seed and the presentations, but not the
/// credentials. Its own files are Protocol Buffers; see ``OWNDStore``.
package enum OWNDCollector {
  static let byteCountLimit = ImportLimits.walletByteCount
  static let kind = "ownd"
  static let entryName = Array("backup.txt".utf8)

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let bytes = try found.bytes()
    let name = found.nameText
    // The seed comes without an address to compare. The wallet's own files have no secret.
    let isBackup = bytes.withBytes { isZIP($0) }
    var kept = Kept(
      format: isBackup ? "ownd-backup" : "ownd-store", isSecret: isBackup,
      asked.finding(name, isBackup ? .notProved(.nothingToCompare) : .publicPart()))
    kept.program = kind
    kept.records = try records(bytes, file: name, work: asked.work)
    return .wallet(kept)
  }

  /// Parses a complete file of either kind.
  ///
  /// Its name is used in messages.
  package static func records(
    _ bytes: borrowing SecretBytes, file: String, work: WorkBudget
  ) throws -> ImportedRecords {
    guard !bytes.withBytes({ isZIP($0) }) else { return try records(bytes, work: work) }
    do throws(OWNDStoreError) {
      return try bytes.withBytes { bytes throws(OWNDStoreError) in try OWNDStore(bytes).records }
    } catch {
      throw error.asForeign(file)
    }
  }

  /// Whether a file's first bytes are those of a ZIP file.
  static func isZIP(_ beginning: Span<UInt8>) -> Bool {
    let mark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    return beginning.count >= mark.count && mark.indices.allSatisfy { beginning[$0] == mark[$0] }
  }

  /// Parses a complete backup.
  package static func records(_ bytes: borrowing SecretBytes, work: WorkBudget) throws -> ImportedRecords {
    work.admit(input: UInt64(bytes.count))
    let content: SecretBytes
    do {
      content = try bytes.withBytes { bytes in
        let archive = try ZIPArchive(bytes)
        let wanted = archive.entries.filter { $0.name == entryName }
        guard wanted.count == 1 else {
          throw ForeignFileError.notThisFormat(
            reason: wanted.isEmpty
              ? "no backup.txt is in the ZIP file" : "backup.txt is in the ZIP file twice")
        }
        return try ZIPArchive.content(of: wanted[0], in: bytes, limit: byteCountLimit, work: work)
      }
    } catch let error as ZIPError {
      throw error == .overLimit
        ? ForeignFileError.overLimit(reason: error.sentence) : .notThisFormat(reason: error.sentence)
    }
    let document: GuardedDocument
    do throws(JSONError) {
      document = try GuardedDocument(content, limit: byteCountLimit)
    } catch {
      throw error.asForeign("in backup.txt ")
    }
    return try OWNDRecords.records(document.root, byteCount: bytes.count)
  }
}

/// The meaning of the fields 6 to 10 in a file of presentations.
///
/// The wallet's two programs number them differently, so the wrong layout would misinterpret them.
enum OWNDLayout: Equatable {
  /// Location, contact, privacy policy, logo, name.
  case android
  /// Logo, name, privacy policy.
  case ios
  /// All of the fields are absent.
  ///
  /// Other fields show the platform, or none do.
  case plain(platform: String)
  /// Made on Android: only location and name are certain, because a fork numbers the others differently.
  case androidInPart
  /// Either layout is possible.
  case unknown

  /// Determines the layout by fields that only one program writes.
  init(_ items: [OWNDItem], _ messages: [Range<Int>], in bytes: Span<UInt8>, isList: Bool) {
    var numbers: Set<UInt32> = []
    var areURLs: [UInt32: Set<Bool>] = [:]
    for (item, range) in zip(items, messages) where item.kind == .credentialSharing {
      for field in item.fields where 6...10 ~= field.number {
        numbers.insert(field.number)
        guard let text = try? field.text(in: bytes.extracting(range)), !text.isEmpty else { continue }
        areURLs[field.number, default: []].insert(text.contains("://"))
      }
    }
    if numbers.contains(9) {
      self = .android
    } else if numbers.contains(10) {
      self = numbers.isDisjoint(with: [7, 8]) ? .android : .androidInPart
    } else if numbers.isEmpty {
      self = .plain(platform: isList ? "android" : "")
    } else if areURLs[7] == [false], (areURLs[6] ?? [true]) == [true], (areURLs[8] ?? [true]) == [true] {
      self = .ios
    } else {
      self = .unknown
    }
  }

  /// The platform in records.
  var platform: String {
    switch self {
    case .android, .androidInPart: "android"
    case .ios: "ios"
    case .plain(let platform): platform
    case .unknown: ""
    }
  }

  /// The ambiguity of the fields, for people.
  var doubt: String? {
    switch self {
    case .android, .ios, .plain: nil
    case .androidInPart, .unknown:
      "it is unknown which of the OWND wallet's programs wrote this history, and they number what they say of a "
        + "verifier differently: such fields are kept by their numbers"
    }
  }

  /// Returns a field's meaning; nil if uncertain.
  fileprivate func field(_ number: UInt32) -> WritableKeyPath<CredentialSharing, String>? {
    switch (self, number) {
    case (.android, 6), (.androidInPart, 6): \.rpLocation
    case (.android, 7): \.rpContactURL
    case (.android, 8), (.ios, 8): \.privacyPolicyURL
    case (.android, 9), (.ios, 6): \.logoURL
    case (.android, 10), (.androidInPart, 10), (.ios, 7): \.rpName
    default: nil
    }
  }
}

extension OWNDItem {
  /// Converts the record to a credential.
  func credential(in message: Span<UInt8>) throws(OWNDStoreError) -> Credential {
    var credential = Credential()
    credential.credential = try text(3, in: message) ?? ""
    guard !credential.credential.isEmpty else { throw .noContent(record: number) }
    let id = try text(1, in: message) ?? ""
    credential.id = id.isEmpty ? ForeignNames.packed("ownd", credential.credential) : PackedText.pack(id)
    credential.format = try text(2, in: message) ?? ""
    if let nonce = try text(4, in: message) { credential.cNonce = nonce }
    if let seconds = try smallInteger(5) { credential.cNonceExpiresIn = seconds }
    if let issuer = try text(6, in: message) { credential.iss = issuer }
    if let time = try integer(7) { credential.iat = time }
    if let time = try integer(8) { credential.exp = time }
    if let type = try text(9, in: message) { credential.type = type }
    if let token = try text(10, in: message) { credential.accessToken = token }
    if let metadata = try text(11, in: message) { credential.credentialIssuerMetadata = metadata }
    credential.extra = extra(beyond: 11, in: message)
    return credential
  }

  /// Converts the record to a presentation of a credential.
  func sharing(_ layout: OWNDLayout, in message: Span<UInt8>) throws(OWNDStoreError) -> CredentialSharing {
    var sharing = CredentialSharing()
    sharing.id = ForeignNames.packed("ownd credential", Hex.encode(message.copied()))
    sharing.platform = layout.platform
    sharing.rp = try text(1, in: message) ?? ""
    let (index, time, rest) = try common(in: message)
    if let index { sharing.accountIndex = index }
    if let time { sharing.createdAt = time }
    sharing.extra = rest
    sharing.credentialID = try text(4, in: message) ?? ""
    for field in fields where field.number == 5 { try add(claim: field, to: &sharing, in: message) }
    for place in 6...10 as ClosedRange<UInt32> {
      guard let text = try text(place, in: message) else { continue }
      if let path = layout.field(place) {
        sharing[keyPath: path] = text
      } else {
        sharing.extra.append(Extra("field\(place)", json: JSONText.quoted(text)))
      }
    }
    sharing.extra += extra(beyond: 10, in: message)
    return sharing
  }

  /// Converts the record to a presentation of an ID token.
  func idToken(_ layout: OWNDLayout, in message: Span<UInt8>) throws(OWNDStoreError) -> IdTokenSharing {
    var sharing = IdTokenSharing()
    sharing.id = ForeignNames.packed("ownd id-token", Hex.encode(message.copied()))
    sharing.platform = layout.platform
    sharing.rp = try text(1, in: message) ?? ""
    let (index, time, rest) = try common(in: message)
    if let index { sharing.accountIndex = index }
    if let time { sharing.createdAt = time }
    sharing.extra = rest + extra(beyond: 3, in: message)
    return sharing
  }

  /// Returns the parts common to both histories, and data without a field.
  private func common(
    in message: Span<UInt8>
  ) throws(OWNDStoreError) -> (index: UInt32?, time: Int64?, extra: [Extra]) {
    var extra: [Extra] = []
    let index = try smallInteger(2)
    if let index, index < 0 { extra.append(Extra("accountIndex", json: String(index))) }
    let time = try time(3, in: message)
    if let time, time.nanoseconds > 0 { extra.append(Extra("nanoseconds", json: String(time.nanoseconds))) }
    return (index.flatMap { UInt32(exactly: $0) }, time?.microseconds, extra)
  }

  /// Adds a claim: a message or, in the first version, only the name.
  private func add(
    claim field: WireField, to sharing: inout CredentialSharing, in message: Span<UInt8>
  ) throws(OWNDStoreError) {
    var claim = Claim()
    do throws(WireError) {
      let content = message.extracting(try field.content())
      // The tags of a claim's fields are control characters, which never start a name.
      if content.count > 0, content[0] >= 0x20 {
        claim.key = try field.text(in: message)
      } else {
        var reader = WireReader()
        var seen: Set<UInt32> = []
        while let part = try reader.next(in: content) {
          guard seen.insert(part.number).inserted else { throw .repeated(field: part.number) }
          switch part.number {
          case 1: claim.key = try part.text(in: content)
          case 2: claim.value = try part.text(in: content)
          case 3: claim.purpose = try part.text(in: content)
          default:
            let name = "claims.\(sharing.claims.count).field\(part.number)"
            sharing.extra.append(Extra(name, json: part.json(in: content)))
          }
        }
      }
    } catch {
      throw .malformed(.invalidValue(field: field.number), record: number)
    }
    sharing.claims.append(claim)
  }
}
