// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as an app's would be: it sees of the library what is public, and nothing else.
let package = Package(
  name: "Example",
  dependencies: [.package(name: "fueki-backup", path: "../..")],
  targets: [
    .executableTarget(
      name: "Example", dependencies: [.product(name: "FuekiData", package: "fueki-backup")],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility"), .strictMemorySafety()])
  ]
)
