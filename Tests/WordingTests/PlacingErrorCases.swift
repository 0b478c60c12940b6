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
    case .otherKind: .notWritable
    case .notWritable: .nameRefused
    case .nameRefused: .noRoom
    case .noRoom: .folderExists
    case .folderExists: nil
    }
  }
}

extension PlacingError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .othersFolder(path: "folder")
    case .othersFolder: .sharedFolder(path: "folder")
    case .sharedFolder: .unprotectedFolder(path: "folder")
    case .unprotectedFolder: .notEmpty(path: "folder")
    case .notEmpty: .readBackDiffers(path: "file")
    case .readBackDiffers: .scattered
    case .scattered: nil
    }
  }
}
