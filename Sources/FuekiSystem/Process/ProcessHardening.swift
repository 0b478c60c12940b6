internal import CProcess
internal import Glibc

/// Keeps the process's memory from reaching the disk or another process, and its files from other users.
public enum ProcessHardening {
  /// To be called first thing in the program.
  ///
  /// A crash writes no core and no backtrace with register contents (Swift's own prints memory near pointers,
  /// which may be key bytes); processes of the same user cannot attach; new files of any library are private;
  /// and a full pipe or a limit on file sizes comes back as an error, so that unfinished files are removed.
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

  /// A target may hold more archives than the few files that a shell lets a program have open.
  private static func raiseOpenFiles() {
    var files = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return }
    files.rlim_cur = min(files.rlim_max, max(files.rlim_cur, 65_536))
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
  }

  /// Opens what was closed at the start, lest an archive get descriptor 2 and messages be written into it.
  ///
  /// Standard output opens for reading: results that are written there are lost, and have to fail.
  private static func occupyStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
    }
  }
}
