import Foundation
import Testing

import EmbeddedTexts

/// The package that `init --package` writes is that of the project's examples, which is built and tested.
@Suite struct PackageTests {
    private static let example = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Tests/Examples/package")

    @Test func `the files are those of the example`() throws {
        let files = PackageTemplate.files(name: "my-widget", reloadsim: "../reloadsim")
        #expect(files.count == 6)
        for file in files {
            #expect(
                try String(contentsOf: Self.example.appending(path: file.path), encoding: .utf8) == file.text,
                "\(file.path)")
        }
    }

    @Test func `another name stands everywhere`() {
        for file in PackageTemplate.files(name: "parcel-box-2", reloadsim: "/opt/reloadsim") {
            let text = file.path + file.text
            #expect(!text.contains("my-widget") && !text.contains("MyWidget"), "\(file.path)")
            if file.path == "Package.swift" {
                #expect(text.contains("name: \"parcel-box-2\"") && text.contains("path: \"/opt/reloadsim\""))
                #expect(text.contains("name: \"ParcelBox2\""))
            }
        }
    }

    @Test func `the command makes the folder once, under a name that a package can have`() throws {
        let scratch = Scratch()
        let made = try BuiltCommand.run(["init", "--package", "my-widget"], in: scratch.path)
        #expect(made.status == 0 && made.error.contains("cd my-widget && swift test"), "\(made.error)")
        #expect(made.error.contains("warning: --reloadsim: nothing is at ../reloadsim from my-widget"), "\(made.error)")
        let root = ShardTests.shipped("first-look").replacing("/Scenarios/first-look.yaml", with: "")
        let beside = try BuiltCommand.run(["init", "--package", "other", "--reloadsim", root], in: scratch.path)
        #expect(beside.status == 0 && !beside.error.contains("warning"), "\(beside.error)")
        let text = try String(contentsOfFile: scratch.path + "/my-widget/Sources/MyWidget/Main.swift", encoding: .utf8)
        #expect(text.contains("import Reloadsim"))
        #expect(try BuiltCommand.run(["init", "--package", "my-widget"], in: scratch.path).status == 74)
        for words in [
            ["--package", "my_widget"], ["--package", "2go"], ["--package", "a", "b.yaml"], ["--reloadsim", "x"],
            ["--package", "a", "--for", "news"],
        ] {
            #expect(try BuiltCommand.run(["init"] + words, in: scratch.path).status == 64, "\(words)")
        }
    }

    @Test func `a scenario that names a provider is refused by the plain program, with the cure`() throws {
        let scratch = Scratch()
        let text = try String(contentsOf: Self.example.appending(path: "scenario.yaml"), encoding: .utf8)
        try text.write(toFile: scratch.path + "/own.yaml", atomically: true, encoding: .utf8)
        let ended = try BuiltCommand.run(["run", "own.yaml"], in: scratch.path)
        #expect(ended.status == 65)
        #expect(ended.error.contains("own.yaml:10:24") && ended.error.contains("docs/own-widgets.md"), "\(ended.error)")
    }
}
