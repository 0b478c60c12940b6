internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem

/// Whole copies of wallets that their programs may be writing.
enum WalletCopies {
  /// Copies a node's wallet through the node, and a database through SQLite; other files are read as they are.
  static func copying() -> FileCopying {
    FileCopying(
      { (path, beginning) throws(FileCopyingError) in
        try refusing { try copy(of: path, beginning) }
      },
      listing: { path throws(FileCopyingError) in
        try refusing {
          guard let wallet = NodeWallet(file: path) else { return nil }
          return try AsyncWork.run { try await wallet.privateDescriptors() }
        }
      })
  }

  private static func copy(of path: String, _ beginning: [UInt8]) throws -> CopiedFile? {
    if let wallet = NodeWallet(file: path), let copy = try nodeCopy(wallet) { return copy }
    guard DatabaseCopy.isDatabase(beginning.span) else { return nil }
    return try CopiedFile(DatabaseCopy.take(of: path, in: folder()))
  }

  /// Runs work whose failures belong in the report.
  private static func refusing<Answer>(_ body: () throws -> Answer) throws(FileCopyingError) -> Answer {
    do {
      return try body()
    } catch let error as FileCopyingError {
      throw error
    } catch let error as DatabaseCopyError {
      if case .damaged = error { throw .damaged }
      throw .refused(reason: error.sentence)
    } catch let error as SystemError {
      throw .refused(reason: error.sentence)
    } catch {
      throw .refused(
        reason: "its node runs and does not copy it: \(Failure(describing: error).message)")
    }
  }

  private static func nodeCopy(_ wallet: NodeWallet) throws -> CopiedFile? {
    let folder = try folder()
    let name = ".fueki-wallet-\(UInt64.random(in: .min ... .max))"
    let directory = try Directory.open(folder)
    defer { try? directory.remove(name) }
    guard try AsyncWork.run({ try await wallet.copy(to: "\(folder)/\(name)") }) else { return nil }
    return try CopiedFile(directory.openFile(name))
  }

  /// Returns the folder for unfinished copies: this machine's state, which only its user can access.
  static func folder() throws -> String {
    let path = try AbsolutePath.of(Places.state().path)
    try Directory.makePrivateDirectories(path)
    return path
  }
}
