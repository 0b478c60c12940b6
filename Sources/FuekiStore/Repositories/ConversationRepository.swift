public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The users, threads and messages of a store.
public struct ConversationRepository: Sendable {
  let store: WalletStore
  private let userShelf = RecordShelf<ChatUser>()
  private let threadShelf = RecordShelf<ChatThread>()
  private let messageShelf = RecordShelf<ChatMessage>()

  init(store: WalletStore) { self.store = store }

  /// Returns all users in order of insertion.
  public func users() throws -> [ChatUser] {
    try store.read { try userShelf.fetch("ORDER BY users.row_id", [], in: $0) }
  }

  /// Returns the user with an id.
  public func user(id: Data) throws -> ChatUser? {
    try store.read { try userShelf.fetch(id.databaseValue, in: $0) }
  }

  /// Returns the threads that a user owns or co-authors, last changed first.
  public func threads(ofUser id: Data) throws -> [ChatThread] {
    try store.read { database in
      try threadShelf.fetch(
        """
        WHERE threads.owner_row IN (SELECT row_id FROM users WHERE id = ?1)
          OR (threads.owner_row IS NULL AND threads.owner_id = ?1)
          OR threads.row_id IN (SELECT thread_row FROM thread_co_authors WHERE user_id = ?1)
        ORDER BY threads.updated_at DESC, threads.row_id DESC
        """, [id], in: database)
    }
  }

  /// Returns a page of a thread's messages in order of writing.
  public func messages(inThread id: Data, limit: Int, offset: Int = 0) throws -> [ChatMessage] {
    try store.read { database in
      try messageShelf.fetch(
        """
        WHERE messages.thread_row = (SELECT row_id FROM threads WHERE id = ?)
        ORDER BY messages.created_at, messages.row_id LIMIT ? OFFSET ?
        """, [id, limit, offset], in: database)
    }
  }

  /// Returns the messages that contain a text, ignoring the case of ASCII letters, newest first.
  ///
  /// Every message is scanned. A full-text index (FTS5) is not used: it treats a Japanese sentence as one
  /// word, would be rebuilt by each restore, and a hundred thousand messages are scanned in milliseconds.
  public func search(_ text: String, limit: Int) throws -> [ChatMessage] {
    let pattern = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
    return try store.read { database in
      try messageShelf.fetch(
        """
        WHERE messages.text LIKE ? ESCAPE '\\'
        ORDER BY messages.created_at DESC, messages.row_id DESC LIMIT ?
        """, ["%\(pattern)%", limit], in: database)
    }
  }

  /// Adds a user, or replaces the one with its id.
  public func save(_ user: ChatUser) throws {
    try store.write { database in
      try userShelf.save(user, in: database)
      try ParentClaims.settle(in: database)
    }
  }

  /// Adds a thread, or replaces the one with its id.
  public func save(_ thread: ChatThread) throws {
    try store.write { database in
      try threadShelf.save(thread, in: database)
      try ParentClaims.settle(in: database)
    }
  }

  /// Adds a message, or replaces the one with its id.
  public func save(_ message: ChatMessage) throws {
    try store.write { try messageShelf.save(message, in: $0) }
  }

  /// Removes a user with their threads, and removes them as a co-author of others.
  @discardableResult
  public func deleteUser(id: Data) throws -> Bool {
    try store.write { database in
      try database.execute(sql: "DELETE FROM thread_co_authors WHERE user_id = ?", arguments: [id])
      return try userShelf.delete(id.databaseValue, in: database)
    }
  }

  /// Removes a thread and its messages.
  @discardableResult
  public func deleteThread(id: Data) throws -> Bool {
    try store.write { try threadShelf.delete(id.databaseValue, in: $0) }
  }

  /// Removes a message.
  @discardableResult
  public func deleteMessage(id: Data) throws -> Bool {
    try store.write { try messageShelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The users, threads and messages.
  public var conversations: ConversationRepository { ConversationRepository(store: self) }
}
