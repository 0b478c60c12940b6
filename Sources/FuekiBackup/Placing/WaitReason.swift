/// Why a file is left in the archive.
public enum WaitReason: String, Sendable, CaseIterable {
  /// It lay outside the home directory.
  case outsideHome = "outside-home"
  /// Its original place was not recorded.
  case noPlace = "no-place"
  /// Its recorded place is not a valid path.
  case notAPlace = "not-a-place"
  /// Files in its place are executed or obeyed automatically.
  case startup = "startup"
  /// The place belongs to programs and is not declared for wallets, or the name can hold commands.
  case notWallets = "not-for-wallets"
  /// It is no wallet's, and the user has not agreed to put it back.
  case ownFiles = "own-files"
  /// It is no wallet's, and nothing that a thief of the signing key lacks proves the archive.
  case notProved = "not-proved"
  /// Programs may obey such a file in its folder, and the folder was there already.
  case folderExists = "folder-exists"
  /// A newer copy of the same file is in the archive.
  case superseded
  /// Parts of it are missing.
  case incomplete
  /// Something is in its way.
  case inTheWay = "in-the-way"
  /// A program works with its place.
  case inUse = "in-use"
  /// It is useless or harmful without another file, which waits.
  case together
  /// The file system takes neither its name nor a safe one.
  case nameRefused = "name-refused"
  /// The file system has no room for it, or takes no file of its size.
  case noRoom = "no-room"
}
