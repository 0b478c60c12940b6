import FuekiBackup

extension PlacingObstacle.Kind: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .differs
    case .differs: .folderIsLink(to: "/mnt")
    case .folderIsLink: .folderIsOthers
    case .folderIsOthers: .folderIsShared
    case .folderIsShared: .isLink(to: "/mnt")
    case .isLink: .otherKind
    case .otherKind: nil
    }
  }
}

extension PlacingError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .othersFolder(path: "folder")
    case .othersFolder: .sharedFolder(path: "folder")
    case .sharedFolder: .notEmpty(path: "folder")
    case .notEmpty: .obstacles([PlacingObstacle(path: "file", kind: .differs)])
    case .obstacles:
      .running([
        RunningProgram(name: "electrum", processID: 7, path: "file"),
        RunningProgram(name: "", processID: nil, path: "lock"),
      ])
    case .running: .readBackDiffers(path: "file")
    case .readBackDiffers: .scattered
    case .scattered: nil
    }
  }

  static var everything: [Self] {
    all + PlacingObstacle.Kind.all.map { .obstacles([PlacingObstacle(path: "file", kind: $0)]) }
  }
}
