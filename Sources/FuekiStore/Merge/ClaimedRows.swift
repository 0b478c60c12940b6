/// A compact set of mostly consecutive rows: a million of them take no more memory than one.
struct ClaimedRows {
  private var runs: [ClosedRange<Int64>] = []
  private var strays: Set<Int64> = []

  mutating func insert(_ row: Int64) {
    guard let last = runs.last else { return runs.append(row...row) }
    if row == last.upperBound + 1 {
      runs[runs.count - 1] = last.lowerBound...row
    } else if row > last.upperBound {
      runs.append(row...row)
    } else if !contains(row) {
      strays.insert(row)
    }
  }

  func contains(_ row: Int64) -> Bool {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < row { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].contains(row) || strays.contains(row)
  }
}
