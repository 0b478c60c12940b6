import FoundationEssentials
import FuekiWallet

// The app's own types as records of an archive, and back.

extension ChatStore.Person {
  var record: ChatUser {
    var record = ChatUser()
    (record.id, record.name) = (id.packed, name)
    if let email { record.email = email }
    return record
  }

  init(_ record: ChatUser) throws {
    self.init(
      id: try UUID(packed: record.id), name: record.name, email: record.hasEmail ? record.email : nil)
  }
}

extension ChatStore.Conversation {
  var record: ChatThread {
    var record = ChatThread()
    (record.id, record.ownerID, record.title) = (id.packed, owner.packed, title)
    record.coAuthorIds = guests.map(\.packed)
    return record
  }

  init(_ record: ChatThread) throws {
    self.init(
      id: try UUID(packed: record.id), owner: try UUID(packed: record.ownerID), title: record.title,
      guests: try record.coAuthorIds.map(UUID.init(packed:)))
  }
}

extension ChatStore.Message {
  var record: ChatMessage {
    var record = ChatMessage()
    (record.id, record.threadID, record.text) = (id.packed, conversation.packed, text)
    if let author { record.authorID = author.packed }
    (record.citationIds, record.createdAt) = (quoted.map(\.packed), sent)
    return record
  }

  init(_ record: ChatMessage) throws {
    self.init(
      id: try UUID(packed: record.id), conversation: try UUID(packed: record.threadID),
      author: record.hasAuthorID ? try UUID(packed: record.authorID) : nil, text: record.text,
      quoted: try record.citationIds.map(UUID.init(packed:)), sent: record.createdAt)
  }
}

extension ChatStore {
  /// Adds a restored record.
  mutating func add(_ record: any SectionRecord) throws {
    switch record {
    case let record as ChatUser: people.append(try Person(record))
    case let record as ChatThread: conversations.append(try Conversation(record))
    case let record as ChatMessage: messages.append(try Message(record))
    default: throw ExampleError.unknownRecord
    }
  }
}

extension UUID {
  fileprivate var packed: Data { PackedText.pack(uuidString) }

  fileprivate init(packed: Data) throws {
    guard let text = PackedText.text(packed), let id = UUID(uuidString: text) else {
      throw ExampleError.unknownRecord
    }
    self = id
  }
}
