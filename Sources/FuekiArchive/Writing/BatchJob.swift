/// Creates one batch.
///
/// Runs on a worker, concurrently with others.
public typealias BatchJob = @Sendable () throws -> RecordBatch
