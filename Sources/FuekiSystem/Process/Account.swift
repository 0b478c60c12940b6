internal import Glibc

/// The system's user accounts.
public enum Account {
  /// The effective user's name, or `nil` if the user has no account entry.
  public static var current: String? { name(of: geteuid()) }

  /// Returns the name of the user with an id, or `nil` if that id has no account entry.
  public static func name(of id: UInt32) -> String? {
    var entry = unsafe passwd()
    return unsafe read(&entry) { found, text, count, result in
      unsafe getpwuid_r(id, found, text, count, result)
    }?.name
  }

  /// The effective user's full name from the account entry, or `nil` if there is none.
  public static var currentFullName: String? {
    var entry = unsafe passwd()
    let found = unsafe read(&entry) { found, text, count, result in
      unsafe getpwuid_r(geteuid(), found, text, count, result)
    }
    // A room and telephone numbers follow after commas.
    return found?.comment.split(separator: ",").first.map(String.init)
  }

  /// Returns a user's home directory, or `nil` if there is no user of that name.
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

/// The user that this process acts for.
public enum CurrentUser {
  /// The effective user id.
  public static var identifier: UInt32 { geteuid() }
  /// The effective group id.
  public static var group: UInt32 { getegid() }
}

/// The machine's host name.
public enum HostName {
  /// The host name, or `localhost` if it is unset.
  public static var current: String {
    var name = [CChar](repeating: 0, count: 256)
    let capacity = name.count
    let status = unsafe name.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return Int32(-1) }
      return unsafe gethostname(base, capacity - 1)
    }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return status != 0 || text.isEmpty ? "localhost" : text
  }
}
