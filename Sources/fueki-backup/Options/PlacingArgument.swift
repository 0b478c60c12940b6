internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// The value of `--files`.
enum PlacingArgument: ExpressibleByArgument, Equatable {
  case home
  case folder(String)
  case nowhere

  init?(argument: String) {
    switch argument {
    case "home": self = .home
    case "none": self = .nowhere
    case "": return nil
    default: self = .folder(HomePath.expanded(argument))
    }
  }

  /// The folder; nil if no files are restored.
  var root: PlaceRoot? {
    get throws {
      switch self {
      case .nowhere: return nil
      case .folder(let path): return .folder(path)
      case .home:
        guard let home = Environment.get("HOME"), home.hasPrefix("/") else {
          throw CommandError.usage("HOME is not set: use --files DIR")
        }
        return .home(home)
      }
    }
  }
}
