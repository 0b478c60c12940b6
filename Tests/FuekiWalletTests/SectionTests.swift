import FuekiArchive
import FuekiWallet
import Testing

@Suite struct SectionTests {
  @Test func `every section is found by its name and lies in its scope's range of ids`() {
    for section in Section.allCases {
      #expect(Section(name: section.name) == section)
      #expect(
        section.scope == (section.rawValue < 32 ? .profile : section.rawValue < 64 ? .history : .secrets))
    }
    #expect(ArchiveScope.allCases.flatMap(\.sections) == Section.allCases)
  }

  @Test func `nothing named selects everything`() throws {
    #expect(try SectionSelection(only: [], exclude: []) == .everything)
  }

  @Test func `scopes and sections can be named together and excluded`() throws {
    let selection = try SectionSelection(only: ["profile,receipts"], exclude: ["files", "settings"])
    #expect(selection.contains(.wallets) && selection.contains(.receipts) && selection.contains(.manifest))
    #expect(
      !selection.contains(.files) && !selection.contains(.settings) && !selection.contains(.transactions))
    #expect(selection.touches(.history) && !selection.touches(.secrets))
  }

  @Test func `an unknown name is an error that names the nearest`() {
    #expect(throws: SelectionError.unknown(name: "walets", nearest: "wallets")) {
      try SectionSelection(only: ["walets"], exclude: [])
    }
    #expect(throws: SelectionError.unknown(name: "secret", nearest: "secrets")) {
      try SectionSelection(only: [], exclude: ["secret"])
    }
  }

  @Test func `the manifest cannot be excluded by name but stays when its scope is`() throws {
    #expect(throws: SelectionError.manifestIsNeeded) { try SectionSelection(only: [], exclude: ["manifest"]) }
    #expect(try SectionSelection(only: [], exclude: ["profile"]).contains(.manifest))
  }
}

@Suite struct DataClassTests {
  @Test func `every section but the manifest belongs to exactly one class`() {
    for section in Section.allCases {
      let classes = DataClass.allCases.filter { $0.sections.contains(section) }
      #expect(classes.count == (section == .manifest ? 0 : 1))
    }
  }

  @Test func `no table belongs to two classes`() {
    let tables = DataClass.allCases.flatMap(\.storeTables)
    #expect(Set(tables).count == tables.count)
  }

  @Test func `what never leaves has no section, and what does has one`() {
    for dataClass in DataClass.allCases {
      #expect(dataClass.sections.isEmpty == (dataClass.bundling == .never))
      #expect((dataClass.syncing == .never) == (dataClass.bundling == .never))
    }
    #expect(DataClass(storeTable: "price_cache") == .priceCache)
    #expect(DataClass(storeTable: "sessions")?.bundling == .never)
  }

  @Test func `what is refused in synced folders is what is bundled only on request`() {
    for dataClass in DataClass.allCases {
      #expect((dataClass.syncing == .refusedUnlessForced) == (dataClass.bundling == .onlyOnRequest))
    }
  }
}
