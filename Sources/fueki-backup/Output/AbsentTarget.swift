internal import FuekiArchive
internal import FuekiBackup
internal import FuekiWallet

/// A target that cannot be read, and what this machine knows of its archives.
struct AbsentTarget {
  private let made: [Activity]
  private let name: (VaultID) -> String?

  /// - Parameters:
  ///   - activities: the archives that this machine made in the target.
  ///   - name: returns a vault's name for display.
  init(_ activities: [Activity], name: @escaping (VaultID) -> String?) {
    made = activities
    self.name = name
  }

  /// The fault, the archives that it concerns, and what to do.
  func sentence(about error: any Error) -> String {
    let failure = Failure(describing: error)
    guard case .noTarget? = error as? TargetError else {
      guard case .otherFileSystem? = error as? TargetError else { return failure.message }
      return "\(failure.message). \(concerned)Mount the disk, and run this again"
    }
    return "\(failure.message). \(concerned)Plug in or mount its disk, and run this again"
  }

  /// The archives on it; empty if this machine made none there.
  private var concerned: String {
    guard !made.isEmpty else { return "" }
    let all = made.map { activity in
      let vault = VaultID(hex: activity.vault).flatMap(name) ?? String(activity.vault.prefix(8))
      let number = activity.sequence.map { "up to number \($0), " } ?? ""
      return
        "archives of vault \(vault) \(number)the last made \(Times.text(UInt64(clamping: activity.time)))"
    }
    return "It has " + all.joined(separator: ", and ") + ". "
  }
}
