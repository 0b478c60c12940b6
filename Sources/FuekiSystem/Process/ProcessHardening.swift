internal import CProcess
internal import Glibc

/// Keeps the process's memory from the disk and from other processes, and its files from other users.
public enum ProcessHardening {
  /// Applies the hardening.
  ///
  /// Call this before anything else in the program.
  ///
  /// It has these effects:
  ///
  /// - A crash writes no core dump, and no backtrace with register contents. Swift's own prints memory near
  ///   pointers, which may be key bytes.
  /// - Processes of the same user cannot attach.
  /// - New files of any library are private.
  /// - A closed pipe or a limit on file sizes is reported as an error, so that unfinished files are removed.
  public static func apply() {
    occupyStandardDescriptors()
    for fatal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT, SIGSYS] {
      _ = signal(fatal, SIG_DFL)
    }
    for write in [SIGPIPE, SIGXFSZ] {
      _ = signal(write, SIG_IGN)
    }
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    raiseOpenFiles()
    _ = fueki_forbid_dumping()
    _ = umask(0o077)
  }

  /// Raises the limit on open files, because a target may hold more archives than a shell's default permits.
  private static func raiseOpenFiles() {
    var files = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return }
    files.rlim_cur = min(files.rlim_max, max(files.rlim_cur, 65_536))
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
  }

  /// Opens standard descriptors that were closed at the start.
  ///
  /// Otherwise an archive might get descriptor 2, and messages would be written into it. Standard output is
  /// opened for reading, so that writing results to it fails instead of losing them.
  private static func occupyStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
    }
  }
}
