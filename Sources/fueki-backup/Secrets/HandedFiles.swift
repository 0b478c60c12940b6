internal import FuekiSystem

/// Files that another process of this program opened, because the user named them while this one was in its sandbox.
enum HandedFiles {
  private static let descriptors = Locked<[ExactText: Int32]>([:])

  /// Keeps an open file until the end of the run.
  static func keep(_ descriptor: Int32, as path: String) {
    descriptors.withLock { $0[ExactText(path)] = descriptor }
  }

  /// Returns the descriptor of a file; nil if none was handed over under this path.
  static func descriptor(of path: String) -> Int32? { descriptors.withLock { $0[ExactText(path)] } }
}
