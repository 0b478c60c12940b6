internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiWallet

/// The records of a Bitcoin Core wallet's database that this program reads.
///
/// The table `main` has keys and values in the program's own encoding: the key is a record's type and
/// subject, the value its content.
struct CoreRecords {
  struct Descriptor {
    var text: [UInt8] = []
    /// The earliest use of its first address, in seconds since 1970.
    var created: UInt64 = 0
    var next: Int64 = 0
    var range: (Int64, Int64) = (0, 0)
    var keys: [CoreKey] = []
    /// The keys cached below hardened steps, by the index of the key in the text.
    var parents: [Int: [UInt8]] = [:]
    var lastHardened: [Int: [UInt8]] = [:]
    /// Whether it provides new addresses, for receiving or for change.
    var isActive: (external: Bool, internal: Bool) = (false, false)
  }

  static let table = "main"
  /// Longer records are of no type that is read.
  private static let valueByteCount = 1 << 20
  private static let descriptorLimit = 20_000
  /// Each key occupies locked pages of its own.
  private static let keyLimit = 4000
  private static let nameLimit = 200_000

  private(set) var descriptors: [[UInt8]: Descriptor] = [:]
  /// The descriptors' ids in file order.
  private(set) var order: [[UInt8]] = []
  private(set) var masterKeys: [CoreMasterKey] = []
  private(set) var labels: [String: String] = [:]
  private(set) var purposes: [String: String] = [:]
  private(set) var flags: UInt64 = 0
  /// Whether a record cannot be parsed as its type.
  private(set) var isMalformed = false
  /// Whether there are more descriptors or keys than the limits.
  private(set) var isCut = false
  private var keyCount = 0
  private var activations: [(id: [UInt8], isInternal: Bool)] = []

  /// Reads a wallet's records.
  ///
  /// - Throws: ``SQLiteFile/Damage``, or errors of the system.
  init(_ database: SQLiteFile) throws {
    try database.forEachRow(of: Self.table) { row in
      guard let length = row.length(0), length <= Self.valueByteCount, let key = try row.bytes(0) else {
        return
      }
      do {
        try take(row, ByteReader(key))
      } catch is ByteReader.Exhausted {
        isMalformed = true
      }
    }
    for (id, isInternal) in activations {
      if isInternal {
        descriptors[id]?.isActive.internal = true
      } else {
        descriptors[id]?.isActive.external = true
      }
    }
    // Keys and cached keys may precede the descriptor that they need.
    if descriptors.values.contains(where: \.text.isEmpty) { isMalformed = true }
  }

  private mutating func take(_ row: SQLiteRow, _ key: ByteReader) throws {
    var key = key
    func content() throws -> [UInt8] {
      guard let length = row.length(1), length <= Self.valueByteCount, let bytes = try row.bytes(1) else {
        throw ByteReader.Exhausted()
      }
      return bytes
    }
    func read() throws -> ByteReader { ByteReader(try content()) }
    switch try Self.text(&key) {
    case "walletdescriptor":
      let id = try key.bytes(32)
      var value = try read()
      try change(id) { (descriptor) throws(ByteReader.Exhausted) in
        descriptor.text = try value.counted()
        descriptor.created = try value.u64()
        descriptor.next = Int64(Int32(bitPattern: try value.u32()))
        descriptor.range.0 = Int64(Int32(bitPattern: try value.u32()))
        descriptor.range.1 = Int64(Int32(bitPattern: try value.u32()))
      }
    case "walletdescriptorkey":
      let id = try key.bytes(32)
      let publicKey = try key.counted()
      guard let length = row.length(1), length <= 1024, let secret = try row.secret(1) else {
        throw ByteReader.Exhausted()
      }
      try add(try CoreKey(publicKey: publicKey, clear: secret), to: id)
    case "walletdescriptorckey":
      let id = try key.bytes(32)
      let publicKey = try key.counted()
      var value = try read()
      try add(CoreKey(publicKey: publicKey, encrypted: try value.counted()), to: id)
    case "walletdescriptorcache":
      let id = try key.bytes(32)
      let place = Int(try key.u32())
      // It is followed by an address index if keys are hardened to the last step.
      guard key.remaining == 0 else { return }
      var value = try read()
      let noted = try value.counted()
      try change(id) { (descriptor) throws(ByteReader.Exhausted) in descriptor.parents[place] = noted }
    case "walletdescriptorlhcache":
      let id = try key.bytes(32)
      let place = Int(try key.u32())
      var value = try read()
      let noted = try value.counted()
      try change(id) { (descriptor) throws(ByteReader.Exhausted) in descriptor.lastHardened[place] = noted }
    case "activeexternalspk": activations.append((try content(), false))
    case "activeinternalspk": activations.append((try content(), true))
    case "mkey": masterKeys.append(try CoreMasterKey(try content()))
    case "flags":
      var value = try read()
      flags = try value.u64()
    case "name":
      var value = try read()
      if labels.count < Self.nameLimit { labels[try Self.text(&key)] = try Self.text(&value) }
    case "purpose":
      var value = try read()
      if purposes.count < Self.nameLimit { purposes[try Self.text(&key)] = try Self.text(&value) }
    default: return
    }
  }

  private static func text(_ reader: inout ByteReader) throws(ByteReader.Exhausted) -> String {
    String(decoding: try reader.counted(), as: UTF8.self)
  }

  private mutating func add(_ key: CoreKey, to id: [UInt8]) throws(ByteReader.Exhausted) {
    keyCount += 1
    guard keyCount <= Self.keyLimit else { return isCut = true }
    guard key.publicKey.count == 33 || key.publicKey.count == 65 else { throw ByteReader.Exhausted() }
    try change(id) { (descriptor) throws(ByteReader.Exhausted) in descriptor.keys.append(key) }
  }

  private mutating func change(
    _ id: [UInt8], _ body: (inout Descriptor) throws(ByteReader.Exhausted) -> Void
  ) throws(ByteReader.Exhausted) {
    if descriptors[id] == nil {
      guard order.count < Self.descriptorLimit else { return isCut = true }
      order.append(id)
    }
    var descriptor = descriptors[id] ?? Descriptor()
    try body(&descriptor)
    descriptors[id] = descriptor
  }
}
