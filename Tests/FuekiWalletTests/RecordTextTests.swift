import FoundationEssentials
import FuekiWallet
import SwiftProtobuf
import Testing

/// Fields of records as texts.
struct RecordTextTests {
  @Test func `a field takes a text of its type, and gives its value up for none`() throws {
    var contact = Contact.new { $0.name = "Ada" }
    let id = contact.id
    contact = try contact.setting("name", to: "Ada L.").setting("created_at", to: "2026-12-01T00:00:00Z")
    contact = try contact.setting("address", to: "0x52908400098527886E0F7030069857D2E4169EE7")
    #expect(contact.name == "Ada L." && contact.id == id)
    #expect(Timestamp(microseconds: contact.createdAt).text == "2026-12-01T00:00:00.000000Z")
    #expect(PackedText.text(contact.address) == "0x52908400098527886E0F7030069857D2E4169EE7")
    #expect(try !contact.setting("created_at", to: nil).hasCreatedAt)
    #expect(try contact.setting("name", to: nil).name.isEmpty)
    let asset = try Asset.new { $0.symbol = "ETH" }.setting("decimals", to: "18")
    #expect(asset.decimals == 18)
    let wallet = try Wallet.new { $0.name = "w" }.setting("group_public_key", to: "AgID")
    #expect(wallet.groupPublicKey == Data([2, 2, 3]))
    #expect(try Transaction().setting("data", to: "").hasData)
  }

  @Test func `what this version does not know stays`() throws {
    // Field 99, of a newer version.
    let newer: [UInt8] = [0x9A, 0x06, 1, 7]
    let message: [UInt8] = try Contact.new { $0.name = "Ada" }.serializedBytes()
    let changed = try Contact(serializedBytes: message + newer).setting("name", to: "Grace")
    #expect(changed.name == "Grace")
    #expect(try (changed.serializedBytes() as [UInt8]).suffix(newer.count) == newer)
  }

  @Test(arguments: [
    ("decimals", "eighteen"), ("decimals", "-1"), ("updated_at", "yesterday"), ("decimals", "4294967296"),
  ])
  func `another text is no value`(_ field: String, _ text: String) {
    #expect(throws: RecordTextError.notAValue(field: field)) { try Asset().setting(field, to: text) }
  }

  @Test func `a field with parts cannot be typed, nor one that is not there`() {
    #expect(throws: RecordTextError.notOneValue(field: "descriptors")) {
      try Wallet().setting("descriptors", to: "wpkh()")
    }
    #expect(throws: RecordTextError.noField("colour")) { try Wallet().setting("colour", to: "blue") }
    #expect(throws: RecordTextError.noField("extra")) { try Wallet().setting("extra", to: "1") }
  }

  @Test func `an id is text, or bytes in base64`() throws {
    #expect(try Section.wallets.kind.recordID("abc") == RecordID("abc"))
    #expect(try Section.files.kind.recordID("AAEC").packed == Data([0, 1, 2]))
    #expect(throws: RecordTextError.notAValue(field: "id")) { try Section.files.kind.recordID("%") }
  }
}
