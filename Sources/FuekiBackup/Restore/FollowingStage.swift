public import FuekiArchive

/// A placed restore, with the outcomes of the stages after it.
public struct PlacedRestore {
  /// The archive, intact or salvaged.
  public let archive: any UnlockedArchive
  /// The restored contents.
  public let report: RestoreReport
  /// The outcome of the resync.
  public var resync = ResyncOutcome.notRun(reason: "not asked for")
}

/// A stage that begins once the data directory is in place, and takes nothing of it back.
///
/// Such stages know nothing of one another: a restore has a list of them, and runs them in its order.
public struct FollowingStage {
  /// The end of such a stage.
  public struct End {
    /// How it ended.
    public let result: StageEnd
    /// How many of what.
    public let counts: [String: UInt64]

    /// Ends with a result.
    public init(_ result: StageEnd = .done, counts: [String: UInt64] = [:]) {
      self.result = result
      self.counts = counts
    }
  }

  /// The stage that users see.
  public let stage: RestoreStage
  let run: (inout PlacedRestore) throws -> End

  /// - Parameters:
  ///   - stage: the stage that users see.
  ///   - run: runs it, records its outcome in the placed restore, and returns its end.
  public init(_ stage: RestoreStage, run: @escaping (inout PlacedRestore) throws -> End) {
    self.stage = stage
    self.run = run
  }

  /// Refreshes from the chains; nil to skip.
  public static func resync(_ resyncer: (any Resyncer)?) -> FollowingStage {
    FollowingStage(.resync) { placed in
      if let resyncer { placed.resync = try resyncer.resync() }
      return End(.resynced(placed.resync))
    }
  }
}
