/// A worker thread's loop, independent of its result type.
class WorkerLoop {
  func run() {}
}
