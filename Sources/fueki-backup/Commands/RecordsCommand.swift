internal import ArgumentParser
internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `records`: the records of the wallet's store, of any kind.
struct RecordsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "records", abstract: "Look at the records of the wallet's store, and change them.",
    discussion: "Kinds: \(KindArgument.allValueStrings.joined(separator: ", ")).",
    subcommands: [
      RecordsList.self, RecordsShow.self, RecordsAdd.self, RecordsSet.self, RecordsRemove.self,
      RecordsFollow.self,
    ])
}

/// The store, and how records of a kind are printed.
struct RecordsOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The kind of the records, such as contacts.", valueName: "kind"))
  var kind: KindArgument
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var output: OutputOptions

  /// Opens the store for the time of the work.
  func use<Answer>(_ work: (WalletStore) throws -> Answer) throws -> Answer {
    let store = try WalletStore.open(try data.path(try settings.load()))
    defer { try? store.close() }
    return try work(store)
  }

  /// Prints records as lines of JSON, or as one document.
  func print(_ records: [some SectionRecord], _ more: Members = [:]) throws {
    let lines = try records.map { try kind.table.line(of: $0) }
    guard output.json else { return lines.forEach(RecordsOptions.print) }
    Document.write(
      [
        "schema": "fueki.records/1", "kind": kind.name,
        "records": try lines.map { try ExportedValue(of: $0) },
      ] + more)
  }

  /// Prints a line of JSON.
  static func print(_ line: String) { StandardOutput.write(TerminalText.document(line) + "\n") }
}

/// `records list`: some or all records of a kind, each a line of JSON as in an export.
struct RecordsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List records, the newest first where they have a time.")

  @OptionGroup var records: RecordsOptions
  @OptionGroup var conditions: ConditionOptions
  @Option(
    help: ArgumentHelp(
      "Only records with this in a name, a title or a text, whatever the case and accents.", valueName: "text"
    ))
  var search: String?
  @Option(help: ArgumentHelp("At most so many.", valueName: "count"))
  var limit: Int?
  @Option(
    help: ArgumentHelp("Continue after this place, which the previous list printed.", valueName: "place"),
    transform: PageCursor.init(option:))
  var after: PageCursor?
  @Flag(help: "Print only the number of records.")
  var count = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit is at least 1") }
    if search != nil, after != nil || count || !conditions.conditions.isEmpty {
      throw ValidationError("--search goes with neither --where, --after nor --count")
    }
    if count, after != nil || limit != nil { throw ValidationError("--count goes with --where alone") }
  }

  func run() throws { try list(records.kind.type) }

  private func list<Record: SectionRecord>(_: Record.Type) throws {
    let query: Query<Record> = try conditions.query()
    try records.use { store in
      let repository = store.records(of: Record.self)
      if count {
        let count = try repository.count(query)
        records.output.console.verbatim("\(count)")
        if records.output.json { try records.print([Record](), ["count": count]) }
        return
      }
      if let search { return try records.print(try repository.search(search, limit: limit ?? .max)) }
      // One document holds all of them, lines only a page at a time.
      let most = limit ?? .max
      guard !records.output.json else {
        let page = try repository.page(query, after: after, limit: most)
        return try records.print(page.records, ["next": page.next?.description])
      }
      var (place, left) = (after, most)
      repeat {
        let page = try repository.page(query, after: place, limit: min(left, 1000))
        try records.print(page.records)
        (place, left) = (page.next, left - page.records.count)
      } while place != nil && left > 0
      if let place { records.output.console.note("there are more: --after \(place)") }
    }
  }
}

/// `records show`: one record.
struct RecordsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one record.")

  @OptionGroup var records: RecordsOptions
  @Argument(help: .recordID) var id: String

  func run() throws { try show(records.kind.type) }

  private func show<Record: SectionRecord>(_: Record.Type) throws {
    try records.use { store in
      try records.print([try store.records(of: Record.self).existing(id)])
    }
  }
}

/// `records add`: a new record with an id of its own.
struct RecordsAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a record, and print it with its id.")

  @OptionGroup var records: RecordsOptions
  @Argument(help: .fieldValues) var values: [FieldValue]

  func run() throws { try add(records.kind.type) }

  private func add<Record: SectionRecord>(_: Record.Type) throws {
    let record = try Record.new { try $0.set(values, dating: "created_at") }
    try records.use { store in
      let repository = store.records(of: Record.self)
      guard try repository.find(record.recordID) == nil else {
        throw Failure(
          .wouldOverwrite, "\(records.kind.name) has a record \(record.recordID) already",
          meaning: "nothing was changed", hint: "\"fueki-backup records set\" changes it")
      }
      try repository.save(record)
      try records.print([record])
    }
  }
}

/// `records set`: some fields of a record.
struct RecordsSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change fields of a record; all others stay as they are.")

  @OptionGroup var records: RecordsOptions
  @Argument(help: .recordID) var id: String
  @Argument(help: .fieldValues) var values: [FieldValue]

  func run() throws { try set(records.kind.type) }

  private func set<Record: SectionRecord>(_ type: Record.Type) throws {
    let id = try Record.kind.recordID(id)
    try records.use { store in
      let changed = try store.records(of: type).update(id) { try $0.set(values, dating: "updated_at") }
      try records.print([changed])
    }
  }
}

/// `records remove`: a record and what belongs to it.
struct RecordsRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a record and all that belongs to it, as a wallet's transactions.",
    discussion: "On a terminal it shows the record and asks first.")

  @OptionGroup var records: RecordsOptions
  @Argument(help: .recordID) var id: String
  @Flag(name: .withLetter(.yes), help: "Do not ask first, on a terminal either.")
  var yes = false

  func run() throws { try remove(records.kind.type) }

  private func remove<Record: SectionRecord>(_: Record.Type) throws {
    try records.use { store in
      let repository = store.records(of: Record.self)
      let record = try repository.existing(id)
      try records.print([record])
      if !yes, Terminal.isAvailable,
        try !Asking.yes("remove this record, and all that belongs to it", default: false)
      {
        throw ExitStatus.interrupted
      }
      guard try repository.delete(record.recordID) else {
        throw StoreError.noRecord(table: records.kind.name)
      }
      records.output.console.note("removed")
    }
  }
}

/// `records follow`: the records that change from now on.
struct RecordsFollow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Print each record that is added, changed or removed, until stopped.")

  @OptionGroup var records: RecordsOptions
  @OptionGroup var conditions: ConditionOptions
  @Option(help: ArgumentHelp("Follow only the first so many of the list.", valueName: "count"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit is at least 1") }
    if records.output.json {
      throw ValidationError("follow has no end, so it cannot print one JSON document. Each line is one")
    }
  }

  func run() throws { try follow(records.kind.type) }

  private func follow<Record: SectionRecord>(_: Record.Type) throws {
    let query: Query<Record> = try conditions.query()
    let limit = limit ?? .max
    let (console, table) = (records.output.console, records.kind.table)
    try records.use { store in
      try AsyncWork.run {
        var known: [RecordID: String]?
        for try await answer in store.records(of: Record.self).observe(query, limit: limit) {
          let lines = try answer.map { (id: $0.recordID, line: try table.line(of: $0)) }
          if let known {
            for (id, line) in lines where known[id] != line { RecordsOptions.print(line) }
            let gone = Set(known.keys).subtracting(lines.map(\.id)).map(\.description).sorted()
            for id in gone { RecordsOptions.print(try ExportedValue.members(["removed": .text(id)]).line) }
          } else {
            console.note("following \(Readable.count(lines.count, "record"))")
          }
          known = Dictionary(lines.map { ($0.id, $0.line) }) { $1 }
        }
      }
    }
  }
}

/// Which records are meant.
struct ConditionOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only records with this value of a field, or before it with field<value. Repeatable.",
      valueName: "field=value"))
  var conditions: [FieldValue] = []

  /// - Throws: a ``Failure`` for a field that selects no records of the kind.
  func query<Record: SectionRecord>() throws -> Query<Record> {
    try conditions.reduce(.all) { query, condition in
      do throws(RecordTextError) {
        return query.and(try .by(condition.field, text: condition.value))
      } catch {
        throw Failure(
          .usage, error.sentence, meaning: "nothing was done",
          hint: "\(Record.kind.name) are selected by \(Query<Record>.fields.joined(separator: ", "))")
      }
    }
  }
}

/// A kind of record by its name.
struct KindArgument: ExpressibleByArgument {
  static var allValueStrings: [String] { RecordKind.all.filter { $0.recordType != nil }.map(\.name) }

  let name: String
  let type: any SectionRecord.Type
  /// How its records become lines.
  let table: RecordTable

  init?(argument: String) {
    guard let kind = RecordKind.all.first(where: { $0.name == argument }), let type = kind.recordType,
      let table = RecordTable.of(kind.section)
    else { return nil }
    (name, self.type, self.table) = (argument, type, table)
  }
}

/// A field's name, and the text of its value; an empty one stands for none.
struct FieldValue: ExpressibleByArgument {
  let field: String
  let value: String

  init?(argument: String) {
    guard let end = argument.firstIndex(where: { $0 == "=" || $0 == "<" }), end > argument.startIndex else {
      return nil
    }
    field = String(argument[..<end])
    value = String(argument[argument.index(after: end)...])
  }
}

extension SectionRecord {
  /// Sets fields, and the time of it where the kind has such a field and no value is given.
  fileprivate mutating func set(_ values: [FieldValue], dating date: String) throws {
    for value in values {
      do throws(RecordTextError) {
        self = try setting(value.field, to: value.value.isEmpty ? nil : value.value)
      } catch {
        throw Failure(
          .usage, error.sentence, meaning: "nothing was changed",
          hint: "the fields are \(Self.kind.fields.map(\.name).joined(separator: ", "))")
      }
    }
    let isDated = Self.kind.fields.contains { $0.name == date }
    if isDated, !values.contains(where: { $0.field == date }) {
      self = try setting(date, to: Timestamp(microseconds: SystemClock.now).text)
    }
  }
}

extension Repository {
  /// Returns the record with an id as it was typed.
  fileprivate func existing(_ id: String) throws -> Record {
    guard let record = try find(Record.kind.recordID(id)) else {
      throw StoreError.noRecord(table: Record.kind.name)
    }
    return record
  }
}

extension PageCursor {
  /// - Throws: an error of the command line for another text.
  fileprivate init(option: String) throws {
    guard let cursor = PageCursor(option) else {
      throw ValidationError("--after takes the place that a previous list printed")
    }
    self = cursor
  }
}

extension ArgumentHelp {
  fileprivate static let recordID = ArgumentHelp("The record's id, or a setting's key.", valueName: "id")
  fileprivate static let fieldValues = ArgumentHelp(
    "A field and its value as in the list; an empty value removes it.", valueName: "field=value")
}

/// A value of a record as exports write it, within a document.
private enum ExportedValue: Codable {
  case members([String: ExportedValue])
  case list([ExportedValue])
  case flag(Bool)
  case whole(Int64)
  case large(UInt64)
  case real(Double)
  case text(String)

  init(of line: String) throws {
    self = try JSONDecoder().decode(ExportedValue.self, from: Data(line.utf8))
  }

  /// The value as a line of JSON.
  var line: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let members = try? value.decode([String: ExportedValue].self) {
      self = .members(members)
    } else if let list = try? value.decode([ExportedValue].self) {
      self = .list(list)
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let whole = try? value.decode(Int64.self) {
      self = .whole(whole)
    } else if let large = try? value.decode(UInt64.self) {
      self = .large(large)
    } else if let real = try? value.decode(Double.self) {
      self = .real(real)
    } else {
      self = .text(try value.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .members(let members): try value.encode(members)
    case .list(let list): try value.encode(list)
    case .flag(let flag): try value.encode(flag)
    case .whole(let number): try value.encode(number)
    case .large(let number): try value.encode(number)
    case .real(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    }
  }
}
