internal import FuekiArchive
internal import FuekiCrypto

/// A keychain's bytes: its head, slots and sealed items, before and after opening.
struct KeychainEncoding {
  let stamp: KeychainStamp
  let keychainID: [UInt8]
  let slots: [KeychainSlot]
  /// The position of each item's sealed bytes, after its nonce.
  private let items: [(kind: UInt8, id: [UInt8], sealed: Range<Int>)]
  private let bytes: [UInt8]

  /// Parses a file as far as possible without a key.
  init(_ bytes: [UInt8], path: String) throws(KeychainError) {
    let span = bytes.span
    let fixed = KeychainLayout.headBytes + KeychainLayout.sealBytes + KeychainLayout.digestBytes
    guard bytes.starts(with: KeychainLayout.magic), bytes.count >= fixed else { throw .damaged(path: path) }
    let version = span.littleEndian(UInt16.self, at: 8)
    let hashed = bytes.count - KeychainLayout.digestBytes
    let digest = SHA256.hash(span.extracting(0..<hashed))
    let holds = Digest(bytes: span.extracting(hashed..<bytes.count)) == digest
    // A newer version may end differently. A damaged number looks like a newer version too.
    guard version == KeychainLayout.version else {
      throw version > KeychainLayout.version && holds
        ? .newer(version: version, path: path) : .damaged(path: path)
    }
    guard holds else { throw .damaged(path: path) }
    let slotCount = Int(span.littleEndian(UInt16.self, at: 10))
    let itemCount = Int(span.littleEndian(UInt32.self, at: 12))
    let itemsStart = KeychainLayout.headBytes + slotCount * KeychainLayout.slotBytes
    let itemsEnd = hashed - KeychainLayout.sealBytes
    guard KeychainLayout.slotCounts.contains(slotCount), itemCount <= KeychainLayout.itemLimit,
      itemsStart <= itemsEnd
    else { throw .damaged(path: path) }
    stamp = KeychainStamp(
      generation: span.littleEndian(UInt64.self, at: 16), writeSalt: span.array(40..<56))
    keychainID = span.array(24..<40)
    var slots: [KeychainSlot] = []
    for place in 0..<slotCount {
      let start = KeychainLayout.headBytes + place * KeychainLayout.slotBytes
      guard let slot = KeychainSlot(span, at: start) else { throw .damaged(path: path) }
      slots.append(slot)
    }
    self.slots = slots
    guard let items = Self.items(span, count: itemCount, in: itemsStart..<itemsEnd) else {
      throw .damaged(path: path)
    }
    self.items = items
    self.bytes = bytes
  }

  private static func items(
    _ bytes: Span<UInt8>, count: Int, in range: Range<Int>
  ) -> [(kind: UInt8, id: [UInt8], sealed: Range<Int>)]? {
    var items: [(kind: UInt8, id: [UInt8], sealed: Range<Int>)] = []
    var position = range.lowerBound
    for _ in 0..<count {
      guard range.upperBound - position >= KeychainLayout.itemHeadBytes else { return nil }
      let length = Int(bytes.littleEndian(UInt32.self, at: position + 17))
      let start = position + KeychainLayout.itemHeadBytes
      let least = XChaCha20Poly1305.nonceByteCount + XChaCha20Poly1305.tagByteCount
      guard length >= least, length <= range.upperBound - start else { return nil }
      items.append((bytes[position], bytes.array(position + 1..<position + 17), start..<start + length))
      position = start + length
    }
    return position == range.upperBound ? items : nil
  }

  /// The number of sealed files next to it; not authenticated.
  var sealedFileCount: Int { items.count { $0.kind == KeychainItem.Kind.sealedFile } }

  /// Verifies the seal and opens the items.
  func open(_ keys: KeychainKeys, path: String) throws(KeychainError) -> [KeychainItem] {
    let end = bytes.count - KeychainLayout.digestBytes
    let start = end - KeychainLayout.sealBytes
    do {
      let seal = try keys.seal(bytes.span.extracting(0..<start))
      guard ConstantTime.areEqual(seal.span, bytes.span.extracting(start..<end)) else {
        throw KeychainError.damaged(path: path)
      }
      let key = try keys.itemKey(stamp)
      var opened: [KeychainItem] = []
      for (place, item) in items.enumerated() {
        let nonceEnd = item.sealed.lowerBound + XChaCha20Poly1305.nonceByteCount
        let content = try XChaCha20Poly1305.openSecret(
          bytes.span.extracting(nonceEnd..<item.sealed.upperBound), key: key,
          nonce: Array(bytes[item.sealed.lowerBound..<nonceEnd]),
          additionalData: KeychainKeys.additionalData(kind: item.kind, id: item.id, place: place))
        opened.append(KeychainItem(kind: item.kind, id: item.id, content: SharedSecret(content)))
      }
      return opened
    } catch let error as KeychainError {
      throw error
    } catch let error as CryptoError where error != .notAuthentic {
      throw .crypto(error)
    } catch {
      throw .damaged(path: path)
    }
  }

  /// Seals items into a file's bytes.
  static func seal(
    _ items: [KeychainItem], slots: [KeychainSlot], keys: KeychainKeys, stamp: KeychainStamp
  ) throws(CryptoError) -> [UInt8] {
    var bytes = KeychainLayout.magic
    bytes.append(littleEndian: KeychainLayout.version)
    bytes.append(littleEndian: UInt16(slots.count))
    bytes.append(littleEndian: UInt32(items.count))
    bytes.append(littleEndian: stamp.generation)
    bytes += keys.keychainID + stamp.writeSalt
    for slot in slots { bytes += slot.bytes }
    let key = try keys.itemKey(stamp)
    for (place, item) in items.enumerated() {
      let nonce = RandomBytes.bytes(XChaCha20Poly1305.nonceByteCount)
      let data = KeychainKeys.additionalData(kind: item.kind, id: item.id, place: place)
      let sealed = try item.content.bytes.withBytes { (content) throws(CryptoError) in
        try XChaCha20Poly1305.seal(content, key: key, nonce: nonce, additionalData: data)
      }
      bytes += [item.kind] + item.id
      bytes.append(littleEndian: UInt32(nonce.count + sealed.count))
      bytes += nonce + sealed
    }
    bytes += try keys.seal(bytes.span)
    return bytes + SHA256.hash(bytes.span).bytes
  }
}
