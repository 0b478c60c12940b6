internal import FuekiSystem

/// One rclone that reads byte ranges of many files of a folder, several at a time.
///
/// A run of rclone for each range costs a process and new connections to the server each time. `rclone serve restic`
/// keeps them open. It is meant for restic, and returns any range of any file.
final class RcloneRanges: Sendable {
  /// A range that has arrived.
  struct Answer {
    /// The caller's number for the file.
    let key: Int
    let range: Range<UInt64>
    /// Nil if the request failed; empty if the bytes are in a file.
    let bytes: [UInt8]?
  }

  /// The number of ranges that are read at a time.
  static let width = 24

  /// The folder that rclone serves.
  let folder: RclonePath
  private let connection: Locked<RangeConnection>

  /// Starts rclone.
  ///
  /// - Throws: errors from starting it.
  init(of folder: RclonePath) throws(SystemError) {
    self.folder = folder
    connection = Locked(try RangeConnection(of: folder))
  }

  /// The number of ranges that were requested, and not yet returned.
  var inFlight: Int { connection.withLock { $0.inFlight } }

  /// Whether it saves more than its start costs.
  static func isWorthStarting(for fileCount: Int) -> Bool { fileCount >= 3 }

  /// Whether rclone returns a file under its path: restic's own layout moves files of folders with this name.
  static func serves(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().last != "data" && !path.isEmpty && path.utf8.count < 4096
  }

  /// Has rclone list the folder and everything below it, and returns at once.
  ///
  /// rclone remembers the listed files. About each other one it asks the remote before the first range. S3 is asked all
  /// the same, because rclone reads the media type of each file there.
  ///
  /// ``next()`` returns an answer of no file when it is listed. A listing that fails is no error.
  ///
  /// - Throws: errors from writing to rclone.
  func listFiles() throws(SystemError) {
    try connection.withLock { (connection) throws(SystemError) in try connection.listFiles() }
  }

  /// Requests a range.
  ///
  /// - Parameters:
  ///   - range: the bytes, of which there is at least one.
  ///   - path: the file's path below the folder.
  ///   - key: comes back with the answer.
  ///   - place: the file that receives the bytes as they arrive; nil to have them in the answer.
  /// - Throws: errors from writing to rclone.
  func submit(
    _ range: Range<UInt64>, of path: String, for key: Int, into place: RemoteCopies.Place? = nil
  ) throws(SystemError) {
    try connection.withLock { (connection) throws(SystemError) in
      try connection.submit(range, of: path, for: key, into: place)
    }
  }

  /// Waits for the next range that is complete, or failed.
  ///
  /// - Returns: nil if none is in flight.
  /// - Throws: `SystemError` if rclone ends, breaks the protocol or says nothing for too long, and interruptions.
  func next() throws(SystemError) -> Answer? {
    try connection.withLock { (connection) throws(SystemError) in try connection.next() }
  }
}
