internal import Glibc

/// People that this machine knows.
public enum Account {
  /// The name of whom this process runs as; nil where the machine has none.
  public static var current: String? {
    var entry = unsafe passwd()
    return unsafe read(&entry) { found, text, count, result in
      unsafe getpwuid_r(geteuid(), found, text, count, result)
    }?.name
  }

  /// The name in full, as the machine's administrator gave it; nil where there is none.
  public static var currentFullName: String? {
    var entry = unsafe passwd()
    let found = unsafe read(&entry) { found, text, count, result in
      unsafe getpwuid_r(geteuid(), found, text, count, result)
    }
    // What follows are a room and telephone numbers.
    return found?.comment.split(separator: ",").first.map(String.init)
  }

  /// A person's home; nil where the machine knows nobody of that name.
  public static func home(of name: String) -> String? {
    var entry = unsafe passwd()
    return unsafe read(&entry) { found, text, count, result in
      unsafe getpwnam_r(name, found, text, count, result)
    }?.home
  }

  private typealias Entry = UnsafeMutablePointer<passwd>
  private typealias Look = (
    Entry, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<Entry?>
  ) -> Int32

  private static func read(_ entry: Entry, _ look: Look) -> (name: String, home: String, comment: String)? {
    let capacity = 1 << 16
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
    defer { unsafe text.deallocate() }
    var found: Entry?
    guard unsafe look(entry, text, capacity, &found) == 0, unsafe found != nil,
      let name = unsafe entry.pointee.pw_name, let home = unsafe entry.pointee.pw_dir
    else { return nil }
    let comment = unsafe entry.pointee.pw_gecos.map { unsafe String(cString: $0) } ?? ""
    return unsafe (String(cString: name), String(cString: home), comment)
  }
}
