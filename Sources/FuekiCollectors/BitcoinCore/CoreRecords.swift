internal import FuekiCrypto
internal import FuekiWallet

/// What the database of a wallet of Bitcoin Core says, as far as it is read.
///
/// Its table `main` has the program's own encoding in keys and values: the type of a record and what it is about, and what
/// it says.
struct CoreRecords {
  struct Descriptor {
    var text: [UInt8] = []
    /// When its first address can have been used, in seconds since 1970.
    var created: UInt64 = 0
    var next: Int64 = 0
    var range: (Int64, Int64) = (0, 0)
    var keys: [CoreKey] = []
    /// What the wallet noted of its keys below steps that only private keys take, by the place of the key in the text.
    var parents: [Int: [UInt8]] = [:]
    var lastHardened: [Int: [UInt8]] = [:]
    /// Whether new addresses come from it: for receiving, or for change.
    var isActive: (external: Bool, internal: Bool) = (false, false)
  }

  static let table = "main"
  /// Records longer than this are none of those that are read.
  private static let valueByteCount = 1 << 20
  private static let descriptorLimit = 20_000
  /// Each lies on locked pages of its own.
  private static let keyLimit = 4000
  private static let nameLimit = 200_000

  private(set) var descriptors: [[UInt8]: Descriptor] = [:]
  /// The descriptors' ids in the order of the file.
  private(set) var order: [[UInt8]] = []
  private(set) var masterKeys: [CoreMasterKey] = []
  private(set) var labels: [String: String] = [:]
  private(set) var purposes: [String: String] = [:]
  private(set) var flags: UInt64 = 0
  /// Whether a record does not read as its type's do.
  private(set) var isMalformed = false
  /// Whether there are more descriptors or keys than are read.
  private(set) var isCut = false
  private var keyCount = 0
  private var activations: [(id: [UInt8], isInternal: Bool)] = []

  /// Reads a wallet's records.
  ///
  /// - Throws: ``SQLiteFile/Damage``, or what the system refuses.
  init(_ database: SQLiteFile) throws {
    try database.forEachRow(of: Self.table) { row in
      guard let length = row.length(0), length <= Self.valueByteCount, let key = try row.bytes(0) else {
        return
      }
      do {
        try take(row, CoreReader(key))
      } catch is CoreReader.Truncated {
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
    // Keys and notes may come before the descriptor, which they need.
    if descriptors.values.contains(where: \.text.isEmpty) { isMalformed = true }
  }

  private mutating func take(_ row: SQLiteRow, _ key: CoreReader) throws {
    var key = key
    func read() throws -> CoreReader {
      guard let length = row.length(1), length <= Self.valueByteCount, let bytes = try row.bytes(1) else {
        throw CoreReader.Truncated()
      }
      return CoreReader(bytes)
    }
    switch try key.text() {
    case "walletdescriptor":
      let id = try key.take(32)
      var value = try read()
      try change(id) { (descriptor) throws(CoreReader.Truncated) in
        descriptor.text = try value.counted()
        descriptor.created = try value.number(8)
        descriptor.next = Int64(Int32(truncatingIfNeeded: try value.number(4)))
        descriptor.range.0 = Int64(Int32(truncatingIfNeeded: try value.number(4)))
        descriptor.range.1 = Int64(Int32(truncatingIfNeeded: try value.number(4)))
      }
    case "walletdescriptorkey":
      let id = try key.take(32)
      let publicKey = try key.counted()
      guard let length = row.length(1), length <= 1024, let secret = try row.secret(1) else {
        throw CoreReader.Truncated()
      }
      try add(try CoreKey(publicKey: publicKey, clear: secret), to: id)
    case "walletdescriptorckey":
      let id = try key.take(32)
      let publicKey = try key.counted()
      var value = try read()
      try add(CoreKey(publicKey: publicKey, encrypted: try value.counted()), to: id)
    case "walletdescriptorcache":
      let id = try key.take(32)
      let place = Int(try key.number(4))
      // Behind it the index of an address, for keys that are hardened to the last step.
      guard key.rest.isEmpty else { return }
      var value = try read()
      let noted = try value.counted()
      try change(id) { (descriptor) throws(CoreReader.Truncated) in descriptor.parents[place] = noted }
    case "walletdescriptorlhcache":
      let id = try key.take(32)
      let place = Int(try key.number(4))
      var value = try read()
      let noted = try value.counted()
      try change(id) { (descriptor) throws(CoreReader.Truncated) in descriptor.lastHardened[place] = noted }
    case "activeexternalspk": activations.append((try read().rest, false))
    case "activeinternalspk": activations.append((try read().rest, true))
    case "mkey": masterKeys.append(try CoreMasterKey(try read().rest))
    case "flags":
      var value = try read()
      flags = try value.number(8)
    case "name":
      var value = try read()
      if labels.count < Self.nameLimit { labels[try key.text()] = try value.text() }
    case "purpose":
      var value = try read()
      if purposes.count < Self.nameLimit { purposes[try key.text()] = try value.text() }
    default: return
    }
  }

  private mutating func add(_ key: CoreKey, to id: [UInt8]) throws(CoreReader.Truncated) {
    keyCount += 1
    guard keyCount <= Self.keyLimit else { return isCut = true }
    guard key.publicKey.count == 33 || key.publicKey.count == 65 else { throw CoreReader.Truncated() }
    try change(id) { (descriptor) throws(CoreReader.Truncated) in descriptor.keys.append(key) }
  }

  private mutating func change(
    _ id: [UInt8], _ body: (inout Descriptor) throws(CoreReader.Truncated) -> Void
  ) throws(CoreReader.Truncated) {
    if descriptors[id] == nil {
      guard order.count < Self.descriptorLimit else { return isCut = true }
      order.append(id)
    }
    var descriptor = descriptors[id] ?? Descriptor()
    try body(&descriptor)
    descriptors[id] = descriptor
  }
}
