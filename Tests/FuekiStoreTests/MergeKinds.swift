import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

/// A record of each kind in a wallet, and the archive's differing record of the same id.
struct MergeKind: Sendable {
  let there: any SectionRecord
  let archived: any SectionRecord
  /// The differing fields, without the modification time.
  let fields: [String]
  /// The field with the modification time, or `nil` if the kind has none.
  let time: String?

  /// Returns one of each kind, with the archive's records modified `shift` microseconds after the wallet's.
  static func all(after shift: Int64) -> [MergeKind] {
    [
      MergeKind(Samples.wallet(1), ["name"], "updated_at", at: \.updatedAt, shift) { $0.name = "other" },
      MergeKind(
        Asset.with {
          $0.id = Samples.id(7)
          $0.walletID = Samples.id(1)
          $0.contract = Samples.address(7)
        }, ["balance"], "updated_at", at: \.updatedAt, shift
      ) { $0.balance = "5" },
      MergeKind(
        Contact.with {
          $0.id = Samples.id(8); $0.name = "Ann"; $0.address = Samples.address(8)
        }, ["notes"],
        "updated_at", at: \.updatedAt, shift
      ) { $0.notes = "of the archive" },
      MergeKind(
        Setting.with {
          $0.key = "theme"; $0.value = "1"
        }, ["value"], "updated_at", at: \.updatedAt, shift
      ) { $0.value = "2" },
      MergeKind(Samples.descriptor(9), ["name"], "created_at", at: \.createdAt, shift) { $0.name = "other" },
      MergeKind(
        Credential.with {
          $0.id = Samples.id(10); $0.format = "jwt"
        }, ["type", "extra"], nil, at: nil, shift
      ) {
        $0.type = "x"
        $0.extra = [
          .with {
            $0.name = "e"; $0.integer = 1
          }
        ]
      },
      MergeKind(
        FilePart.with {
          $0.id = Data(repeating: 11, count: 16); $0.path = Data([65]); $0.total = 1
        },
        ["content"], "modified_at", at: \.modifiedAt, shift
      ) { $0.content = Data([1]) },
      MergeKind(
        Samples.transaction(1, wallet: 1, status: "pending"), ["status"], "timestamp", at: \.timestamp, shift
      ) { $0.status = "confirmed" },
      MergeKind(Samples.receipt(1), ["gas_used"], nil, at: nil, shift) { $0.gasUsed = "1" },
      MergeKind(
        CredentialSharing.with { $0.id = Samples.id(12) }, ["rp"], "created_at", at: \.createdAt, shift
      ) { $0.rp = "rp" },
      MergeKind(IdTokenSharing.with { $0.id = Samples.id(13) }, ["rp"], "created_at", at: \.createdAt, shift)
      {
        $0.rp = "rp"
      },
      MergeKind(ChatUser.with { $0.id = Samples.id(14) }, ["name"], "created_at", at: \.createdAt, shift) {
        $0.name = "other"
      },
      MergeKind(
        ChatThread.with {
          $0.id = Samples.id(15); $0.ownerID = Samples.id(14)
        }, ["co_author_ids"],
        "updated_at", at: \.updatedAt, shift
      ) { $0.coAuthorIds = [Samples.id(14), Samples.id(16)] },
      MergeKind(
        ChatMessage.with {
          $0.id = Samples.id(17); $0.threadID = Samples.id(15); $0.text = "a"
        }, ["text"],
        "created_at", at: \.createdAt, shift
      ) { $0.text = "b" },
    ]
  }

  private init<Record: SectionRecord>(
    _ record: Record, _ fields: [String], _ time: String?, at path: WritableKeyPath<Record, Int64>?,
    _ shift: Int64, change: (inout Record) -> Void
  ) {
    var (there, archived) = (record, record)
    if let path {
      there[keyPath: path] = 1_000_000
      archived[keyPath: path] = 1_000_000 + shift
    }
    change(&archived)
    self.there = there
    self.archived = archived
    self.fields = fields
    self.time = time
  }
}

extension StoreBuilder {
  /// Inserts records of different kinds in the given order.
  func insert(mixed records: [any SectionRecord]) throws {
    func one<Record: SectionRecord>(_ record: Record) throws { try insert([record]) }
    for record in records { try one(record) }
  }
}

/// Two machines' data directories, and an archive moved between them.
enum Merging {
  /// Creates a data directory with these records, and these shares in its keychain.
  static func make(
    _ directory: String, _ records: [any SectionRecord], shares: [(KeyShareDescriptor, String)] = [],
    keys: [PrivateKeyRecord] = []
  ) throws {
    let builder = try StoreBuilder(dataDirectory: directory, vaultID: Pipeline.vaultID)
    try builder.insert(mixed: records)
    try builder.finish().close()
    guard !shares.isEmpty || !keys.isEmpty else { return }
    let editor = try KeychainEditor(slots: [try Cheap.slot("p")])
    for (descriptor, secret) in shares {
      try editor.add(share: descriptor, secret: try Samples.secret(secret).bytes)
    }
    for key in keys { try editor.add(key) }
    try editor.write(in: directory)
  }

  /// Archives a data directory, including its private keys.
  static func archive(_ directory: String, _ path: String) throws {
    try Pipeline.write(try bundle(directory), to: path)
  }

  /// Merges an archive into a data directory.
  @discardableResult
  static func run(
    _ archive: String, into directory: String, _ policy: ConflictPolicy, slots: [NewKeychainSlot] = []
  ) throws -> MergeReport {
    var merge: MergeDestination?
    try Pipeline.restore(archive) { open in
      let made = try MergeDestination(
        dataDirectory: directory, archive: open, onConflict: policy, time: 1_795_242_600_000_000)
      if made.keychain.isThere {
        try made.keychain.open(with: try Cheap.opening("p"))
      } else {
        made.keychain.create(opening: slots)
      }
      merge = made
      return (made, made.keychain)
    }
    return merge?.report ?? MergeReport()
  }

  /// Merges records into others, and expects a second merge to change nothing.
  static func twice(
    _ there: [any SectionRecord], _ archived: [any SectionRecord], _ scratch: borrowing TemporaryDirectory,
    _ policy: ConflictPolicy = .fail
  ) throws -> MergeReport {
    try make(scratch.path("data"), there)
    try make(scratch.path("other"), archived)
    try archive(scratch.path("other"), scratch.path("a.fueki"))
    let report = try run(scratch.path("a.fueki"), into: scratch.path("data"), policy)
    let after = try contents(scratch.path("data"))
    let again = try run(scratch.path("a.fueki"), into: scratch.path("data"), policy)
    #expect(again.changesNothing && again.previous == nil, "\(again)")
    #expect(try contents(scratch.path("data")) == after)
    return report
  }

  /// Returns the number and digest of records in each section of a data directory.
  static func contents(_ directory: String) throws -> [Section: BundleFingerprint.Entry] {
    try bundle(directory).fingerprint().sections
  }

  static func bundle(_ directory: String) throws -> BackupBundle {
    let hasKeychain = try Keychain.currentStamp(in: directory) != nil
    let selection = try SectionSelection(only: [], exclude: hasKeychain ? [] : ["secrets"])
    let request = CollectionRequest(selection: selection, includesPrivateKeys: true)
    return try Pipeline.bundle(directory, try Cheap.opening("p"), request)
  }
}
