import FuekiSync
import Testing

/// The metrics of a resync, as Prometheus reads them.
@Suite struct SyncMetricsTests {
  @Test func `metrics without a value are left out`() {
    let metrics = SyncMetrics()
    #expect(metrics.text == "")
    metrics.recordRequest("ok")
    #expect(
      metrics.text == "# TYPE fueki_sync_requests_total counter\nfueki_sync_requests_total{result=\"ok\"} 1\n"
    )
  }

  @Test func `each metric has its samples together, in a fixed order`() async {
    let metrics = SyncMetrics()
    metrics.recordRequest("unanswered")
    for _ in 1...2 { metrics.recordRequest("ok") }
    metrics.recordAnswer(from: "network")
    metrics.recordAnswer(from: "\"a\\b\"\n")
    for isWell in [true, false, true] {
      #expect(await metrics.measuring("wallet") { (isWell, isWell) } == isWell)
    }
    let lines = metrics.text.split(separator: "\n").filter { !$0.contains("_seconds_sum") }
    #expect(
      lines == [
        "# TYPE fueki_sync_answers_total counter",
        #"fueki_sync_answers_total{from="\"a\\b\"\n"} 1"#,
        #"fueki_sync_answers_total{from="network"} 1"#,
        "# TYPE fueki_sync_operation_seconds summary",
        #"fueki_sync_operation_seconds_count{operation="wallet"} 3"#,
        "# TYPE fueki_sync_operations_total counter",
        #"fueki_sync_operations_total{operation="wallet",result="failed"} 1"#,
        #"fueki_sync_operations_total{operation="wallet",result="ok"} 2"#,
        "# TYPE fueki_sync_requests_total counter",
        #"fueki_sync_requests_total{result="ok"} 2"#,
        #"fueki_sync_requests_total{result="unanswered"} 1"#,
      ])
  }
}
