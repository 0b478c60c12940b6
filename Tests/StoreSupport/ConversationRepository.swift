package import FoundationEssentials
package import FuekiWallet
internal import FuekiBackup
package import FuekiStore
internal import GRDB

/// The users, threads and messages of a store.
package struct ConversationRepository: Sendable {
  let store: WalletStore
  private let userShelf = RecordShelf<ChatUser>()
  private let threadShelf = RecordShelf<ChatThread>()
  private let messageShelf = RecordShelf<ChatMessage>()

  init(store: WalletStore) { self.store = store }

  /// Returns the threads that a user owns or co-authors, last changed first.
  package func threads(ofUser id: Data) throws -> [ChatThread] {
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
  package func messages(inThread id: Data, limit: Int, offset: Int = 0) throws -> [ChatMessage] {
    try store.read { database in
      try messageShelf.fetch(
        """
        WHERE messages.thread_row = (SELECT row_id FROM threads WHERE id = ?)
        ORDER BY messages.created_at, messages.row_id LIMIT ? OFFSET ?
        """, [id, limit, offset], in: database)
    }
  }

  /// Adds a user, or replaces the one with its id.
  package func save(_ user: ChatUser) throws {
    try store.write { database in
      try userShelf.save(user, in: database)
      try ParentClaims.settle(in: database)
    }
  }

  /// Adds a thread, or replaces the one with its id.
  package func save(_ thread: ChatThread) throws {
    try store.write { database in
      try threadShelf.save(thread, in: database)
      try ParentClaims.settle(in: database)
    }
  }

  /// Adds a message, or replaces the one with its id.
  package func save(_ message: ChatMessage) throws {
    try store.write { try messageShelf.save(message, in: $0) }
  }

  /// Removes a user with their threads, and removes them as a co-author of others.
  @discardableResult
  package func deleteUser(id: Data) throws -> Bool {
    try store.write { database in
      try database.execute(sql: "DELETE FROM thread_co_authors WHERE user_id = ?", arguments: [id])
      return try userShelf.delete(id.databaseValue, in: database)
    }
  }

  /// Removes a thread and its messages.
  @discardableResult
  package func deleteThread(id: Data) throws -> Bool {
    try store.write { try threadShelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The users, threads and messages.
  package var conversations: ConversationRepository { ConversationRepository(store: self) }
}
