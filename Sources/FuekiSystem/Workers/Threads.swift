internal import Glibc

/// A mutex usable with a condition, unlike the standard library's `Mutex`.
///
/// Safe because the C object stays at one address from `init` to `deinit` and never leaves the class.
@safe final class ThreadLock {
  fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  func lock() { unsafe pthread_mutex_lock(mutex) }

  func unlock() { unsafe pthread_mutex_unlock(mutex) }

  func whileLocked<Answer>(_ body: () -> Answer) -> Answer {
    lock()
    defer { unlock() }
    return body()
  }
}

/// A condition variable for a ``ThreadLock``.
///
/// Safe for the same reason.
@safe final class ThreadCondition {
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init() {
    unsafe condition = .allocate(capacity: 1)
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe condition.deallocate()
  }

  func wait(_ lock: ThreadLock) { unsafe pthread_cond_wait(condition, lock.mutex) }

  /// Waits no longer than so many seconds.
  func wait(_ lock: ThreadLock, seconds: Double) {
    var end = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = Int(seconds * 1e9) + end.tv_nsec
    end.tv_sec += nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_cond_timedwait(condition, lock.mutex, &end)
  }

  func signal() { unsafe pthread_cond_signal(condition) }

  func broadcast() { unsafe pthread_cond_broadcast(condition) }
}

/// A thread that runs one ``WorkerLoop``; it must be joined or detached, unless the process ends first.
struct WorkerThread {
  private let thread: pthread_t

  /// Starts a thread; nil if the system refuses one.
  init?(running loop: WorkerLoop) {
    guard let thread = ThreadStart.start(loop) else { return nil }
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }

  /// Lets the system release the thread when it ends.
  func detach() { pthread_detach(thread) }
}

/// Starts threads with a fixed stack size and all signals blocked.
private enum ThreadStart {
  private static let stackByteCount = 2 << 20

  /// Starts a thread; nil if the system refuses one.
  static func start(_ loop: WorkerLoop) -> pthread_t? {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return nil }
    defer { unsafe pthread_attr_destroy(&attributes) }
    // The default follows `ulimit -s`, which can be tiny.
    unsafe pthread_attr_setstacksize(&attributes, stackByteCount)

    // Only the first thread handles signals, which interrupt its waits for the terminal or a child.
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    var thread = pthread_t()
    let body = unsafe Unmanaged.passRetained(loop)
    let status = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<WorkerLoop>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard status == 0 else {
      unsafe body.release()
      return nil
    }
    return thread
  }
}

/// A worker thread's loop, independent of its result type.
class WorkerLoop {
  func run() {}
}
