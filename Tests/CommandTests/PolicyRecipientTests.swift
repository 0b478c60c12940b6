import CommandSupport
import TestSupport
import Testing

/// The recipients of a policy in the archives that commands make, and in what reports on them.
struct PolicyRecipientTests {
  private func rules(_ recipients: [String]) -> String {
    "recipients = [\(recipients.map { "\"\($0)\"" }.joined(separator: ", "))]"
  }

  @Test func `recipients for which no slot is left are listed wherever the owner looks`() throws {
    let policy = (100...102).map(PolicyRecipient.text)
    let own = (1...29).map { PolicyRecipient.text($0 + 10) }
    let machine = try Machine.following(rules(policy), more: "[[vault]]\n\(rules(own))\n")
    let made = try machine.createByPolicy(["--accept", "recipients"])
    let words = "2 recipients of the policy cannot open the archives: no slot is left for "
    #expect(made.status == 3 && made.errors.contains(words + policy[1] + ", " + policy[2]), "\(made.errors)")
    #expect(
      made.errors.contains("an archive has 32 slots") && !made.errors.contains(policy[0]), "\(made.errors)")
    // With the passphrase.
    #expect(try machine.archives().count == 2 && machine.slotCount() == 31)
    let status = try machine.run(["status", "--json"])
    #expect(status.status == 60 && status.text.contains(words), "\(status.status) \(status.text)")
    let doctor = try machine.run(["doctor", "--json"]).json()["checks"]?.elements ?? []
    let check = doctor.first { $0["name"] == .string("policy") && $0["result"] == .string("warning") }
    #expect(check?["detail"]?.text?.hasPrefix(words) == true, "\(doctor)")
    #expect(check?["remedy"]?.text?.contains("use fewer recipients of your own") == true)
    let next = try machine.run(["key", "list"])
    #expect(
      next.status == 0 && next.errors.contains(words) && !next.text.contains(policy[1]), "\(next.errors)")
    #expect(next.text.contains(policy[0]), "\(next.text)")

    let text = String(decoding: try machine.read(Machine.configuration), as: UTF8.self)
    try machine.configure(text.replacing(rules(own), with: rules(Array(own.prefix(27)))))
    let all = try machine.createByPolicy()
    #expect(try all.status == 0 && machine.slotCount() == 31, "\(all.errors)")
    #expect(try !machine.run(["status", "--json"]).text.contains("no slot is left"))
  }

  @Test func `changed keys keep the policy's recipient, without a second slot for it`() throws {
    let recipient = PolicyRecipient.first
    let machine = try Machine.following(rules([recipient]))
    try #require(machine.createByPolicy(["--accept", "recipients"]).status == 0)
    try machine.write("canary Zq8 of the archive, 41 bytes long", to: "new")
    let new =
      ["--new-passphrase-from", "file:\(machine.path("new"))"] + Machine.quick + machine.archiveSecret

    // Nothing proves whose the closed slot is: the owner drops it, and the policy's recipient has a slot again.
    let changed = try machine.run(["key", "change-passphrase", "latest", "--drop", "2"] + new)
    #expect(changed.status == 0, "\(changed.errors)")
    #expect(
      changed.errors.contains("the policy's recipient \(recipient) can open it, too"), "\(changed.errors)")
    #expect(try machine.slotCount() == 2)

    try machine.write("canary Zq9 of the archive, 41 bytes long", to: "third")
    let opening = ["--passphrase-file", machine.path("new")]
    let added = try machine.run(
      ["key", "add", "latest", "--keep", "2=\(recipient)", "--new-passphrase-from"]
        + ["file:\(machine.path("third"))"] + Machine.quick + opening)
    #expect(try added.status == 0 && machine.slotCount() == 3, "\(added.errors)")
    #expect(!added.errors.contains("can open it, too"), "\(added.errors)")

    let removed = try machine.run(["key", "remove", "latest", "--slot", "2", "3"] + opening)
    #expect(try removed.status == 0 && machine.slotCount() == 1, "\(removed.errors)")
    try machine.write(try machine.read("new"), to: "passphrase")
    let next = try machine.createByPolicy()
    #expect(try next.status == 0 && machine.slotCount() == 2, "\(next.errors)")
  }

  @Test func `doctor reports the policy in force, a recipient that waits, and a refusal`() throws {
    let machine = try Machine.following(rules([PolicyRecipient.first]), number: 3)
    func checks() throws -> (status: Int32, policy: [JSONValue]) {
      let run = try machine.run(["doctor", "--json"] + machine.keychainSecret)
      let all = try run.json()["checks"]?.elements ?? []
      return (run.status, all.filter { $0["name"] == .string("policy") })
    }
    let waiting = try checks()
    #expect(waiting.status == 0 && waiting.policy.compactMap { $0["result"]?.text } == ["warning", "ok"])
    #expect(
      waiting.policy.first?["remedy"]?.text?.contains("--accept recipients=\(PolicyRecipient.first)") == true)
    #expect(
      waiting.policy.last?["detail"]?.text?.hasPrefix("number 3 of Example Ltd, signed by ") == true,
      "\(waiting.policy)")

    try #require(machine.createByPolicy(["--accept", "recipients"]).status == 0)
    #expect(try checks().policy.compactMap { $0["result"]?.text } == ["ok"])
    try machine.issue("", number: 2)
    let refused = try checks()
    #expect(refused.status == 60 && refused.policy.compactMap { $0["result"]?.text } == ["failed"])
    #expect(refused.policy.first?["detail"]?.text?.contains("already accepted number 3") == true)
    #expect(refused.policy.first?["remedy"]?.text?.contains("get the newest policy") == true)
  }
}
