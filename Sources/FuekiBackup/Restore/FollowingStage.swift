public import FuekiArchive

/// What a restore has put in place, and what the stages after that came to.
public struct PlacedRestore {
  /// The archive: whole, or what was left of it.
  public let archive: any UnlockedArchive
  /// What is in place.
  public let report: RestoreReport
  /// What the resync came to.
  public var resync = ResyncOutcome.notRun(reason: "not asked for")
}

/// A stage that begins once the data directory is in place, and takes nothing of it back.
///
/// Such stages know nothing of one another: a restore has a list of them, and runs them in its order.
public struct FollowingStage {
  /// What such a stage came to.
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

  /// What people see it called.
  public let stage: RestoreStage
  let run: (inout PlacedRestore) throws -> End

  /// - Parameters:
  ///   - stage: what people see it called.
  ///   - run: does it, notes what it came to beside what is in place, and says how it ended.
  public init(_ stage: RestoreStage, run: @escaping (inout PlacedRestore) throws -> End) {
    self.stage = stage
    self.run = run
  }

  /// Asks the chains; nothing where there is nobody to do it.
  public static func resync(_ resyncer: (any Resyncer)?) -> FollowingStage {
    FollowingStage(.resync) { placed in
      if let resyncer { placed.resync = try resyncer.resync() }
      return End(.resynced(placed.resync))
    }
  }
}
