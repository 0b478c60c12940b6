public import FuekiSystem

/// A target that an archive could not be put in.
public struct TargetFailure: Sendable {
  /// The target's path.
  public let path: ExactText
  /// Why.
  public let error: any Error

  /// Does the work on one target, whose failure does not stop the others.
  ///
  /// - Returns: nil if the work was done.
  /// - Throws: `Interrupted` if the person ended the run.
  static func of(_ target: Target, _ work: () throws -> Void) throws -> TargetFailure? {
    do {
      try work()
      return nil
    } catch  where Interrupted.isCause(of: error) {
      throw Interrupted()
    } catch {
      return TargetFailure(target, error)
    }
  }
}

extension TargetFailure {
  init(_ target: Target, _ error: any Error) { self.init(path: ExactText(target.path), error: error) }
}
