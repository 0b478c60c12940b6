internal import FuekiSystem

/// The disks that a person has plugged in, by where they are mounted.
enum MountedDisks {
  private static let places = ["/media/", "/run/media/", "/mnt/"]
  private static let mostBytes = 1 << 20

  /// The places of disks that a person plugs in; other things are mounted below /mnt, too.
  private static let diskPlaces = ["/media/", "/run/media/"]
  /// File systems of other machines and of programs.
  private static let remoteTypes = ["nfs", "cifs", "smb", "sshfs", "fuse."]

  /// Whether a path is on a disk that was plugged in.
  static func isOnDisk(_ path: String) -> Bool {
    mounts.contains { mount in
      diskPlaces.contains(where: mount.folder.hasPrefix)
        && (path == mount.folder || path.hasPrefix("\(mount.folder)/"))
        && !remoteTypes.contains(where: mount.type.hasPrefix)
    }
  }

  /// The folders, in their order; none where the system does not say.
  static var folders: [String] {
    let folders = mounts.map(\.folder)
    return Set(folders.filter { folder in folder == "/mnt" || places.contains(where: folder.hasPrefix) })
      .sorted()
  }

  /// The folder and the type of each mounted file system.
  private static var mounts: [(folder: String, type: String)] {
    var bytes = [UInt8](repeating: 0, count: mostBytes)
    var span = bytes.mutableSpan
    guard let file = try? File.open("/proc/self/mountinfo"), let count = try? file.read(into: &span) else {
      return []
    }
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    return lines.compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 4 else { return nil }
      // Optional fields end with a dash.
      let type = fields.drop { $0 != "-" }.dropFirst().first.map(String.init) ?? ""
      return (plain(fields[4]), type)
    }
  }

  /// A path without the kernel's spelling of blanks and backslashes, three octal digits each.
  private static func plain(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
