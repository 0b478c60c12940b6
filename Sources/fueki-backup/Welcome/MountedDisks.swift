internal import FuekiSystem

/// The disks that a person has plugged in, by where they are mounted.
enum MountedDisks {
  private static let places = ["/media/", "/run/media/", "/mnt/"]
  private static let mostBytes = 1 << 20

  /// The folders, in their order; none where the system does not say.
  static var folders: [String] {
    var bytes = [UInt8](repeating: 0, count: mostBytes)
    var span = bytes.mutableSpan
    guard let file = try? File.open("/proc/self/mountinfo"), let count = try? file.read(into: &span) else {
      return []
    }
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    let mounted = lines.compactMap { line -> String? in
      let fields = line.split(separator: " ")
      return fields.count > 4 ? plain(fields[4]) : nil
    }
    return Set(mounted.filter { folder in folder == "/mnt" || places.contains(where: folder.hasPrefix) })
      .sorted()
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
