/// Sends several requests concurrently, and returns the answers in the order of the questions.
///
/// The ``ServerClient`` limits concurrent requests per server. The width only bounds the number of answers in
/// memory.
///
/// - Throws: the first failure; the remaining requests are cancelled.
func concurrently<Question: Sendable, Answer: Sendable>(
  _ questions: [Question], width: Int = 8,
  _ ask: @escaping @Sendable (Question) async throws(SyncError) -> Answer
) async throws(SyncError) -> [Answer] {
  typealias Outcome = Result<Answer, SyncError>
  let outcome = await withTaskGroup(of: (Int, Outcome).self) { group in
    var answers = [Answer?](repeating: nil, count: questions.count)
    var next = 0
    func start() {
      guard next < questions.count else { return }
      let place = next
      next += 1
      group.addTask {
        do throws(SyncError) {
          return (place, .success(try await ask(questions[place])))
        } catch {
          return (place, .failure(error))
        }
      }
    }
    for _ in 0..<width { start() }
    var failure: SyncError?
    for await (place, outcome) in group {
      switch outcome {
      case .success(let answer): answers[place] = answer
      case .failure(let error):
        // Cancelled requests fail as well, but later.
        if failure == nil { failure = error }
        group.cancelAll()
        next = questions.count
      }
      start()
    }
    if let failure { return Result<[Answer], SyncError>.failure(failure) }
    return .success(answers.compactMap { $0 })
  }
  return try outcome.get()
}
