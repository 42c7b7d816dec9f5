import Testing

@testable import ScenarioFiles
@testable import Studies

@Suite struct StudyDesignTests {
    private func axis(_ text: String) throws -> Axis { try Axis.read(text) }

    private func values(_ design: StudyDesign) throws -> [[String]] { try design.points().map(\.values) }

    @Test func `a grid has every combination, the last axis fastest`() throws {
        let design = StudyDesign(axes: [try axis("a=1,2"), try axis("b=x,y,z")])
        #expect(try values(design) == [["1", "x"], ["1", "y"], ["1", "z"], ["2", "x"], ["2", "y"], ["2", "z"]])
        #expect(try design.points().map(\.number) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `axes in lockstep go together, wherever they stand`() throws {
        let axes = [try axis("a=1,2"), try axis("b=x,y"), try axis("c=p,q")]
        #expect(
            try values(StudyDesign(axes: axes, zips: [["a", "c"]])) == [
                ["1", "x", "p"], ["1", "y", "p"], ["2", "x", "q"], ["2", "y", "q"],
            ])
        let uneven = StudyDesign(axes: [try axis("a=1,2"), try axis("b=x,y,z")], zips: [["a", "b"]])
        #expect { try uneven.points() } throws: { "\($0)".contains("a has 2, b has 3") }
        #expect { try StudyDesign(axes: axes, zips: [["a", "d"]]).points() } throws: { "\($0)".contains("'d'") }
    }

    @Test func `conditions leave points out, and one that leaves none is refused`() throws {
        var design = StudyDesign(axes: [try axis("a=1,2,3"), try axis("b=1,2,3")])
        design.conditions = [try Condition("a < b", names: design.names, at: "--where")]
        #expect(try values(design) == [["1", "2"], ["1", "3"], ["2", "3"]])
        design.conditions = [try Condition("a > 9", names: design.names, at: "--where")]
        #expect { try design.points() } throws: { "\($0)".contains("leave no point of 9") }
    }

    @Test func `named sets of overrides come before the axes`() throws {
        let variants = [
            StudyBlock.Variant(name: "base", overrides: []), .init(name: "cached", overrides: ["x.y=1", "z=2"]),
        ]
        let design = StudyDesign(axes: [try axis("m:k.l=3")], variants: variants)
        let points = try design.points()
        #expect(points.map(\.variant) == ["base", "cached"])
        #expect(design.overrides(of: points[1]) == ["x.y=1", "z=2", "k.l=3"])
        #expect(design.names == ["scenario", "m"])
    }

    @Test func `a Latin hypercube has one point in each part, and Sobol's sequence grows without moving`() throws {
        let axes = [try axis("a=range(0.0, 8.0)"), try axis("b=range(0.0, 8.0)")]
        let cube = try values(StudyDesign(arrangement: .latinHypercube(8), axes: axes))
        for column in 0..<2 { #expect(Set(cube.map { Int(Double($0[column])!) }).count == 8) }
        let few = try values(StudyDesign(arrangement: .sobol(4), axes: axes))
        #expect(Array(try values(StudyDesign(arrangement: .sobol(16), axes: axes)).prefix(4)) == few)
        #expect(few[0] == ["4", "4"])
    }

    @Test func `a design says what it cannot be`() throws {
        let interval = [try axis("a=range(0.0, 8.0)")]
        #expect { try StudyDesign(axes: interval).points() } throws: { "\($0)".contains("values one by one") }
        #expect { try StudyDesign(arrangement: .sobol(4), axes: []).points() } throws: {
            "\($0)".contains("needs an axis")
        }
        #expect { try StudyDesign(arrangement: .sobol(4), axes: interval, zips: [["a"]]).points() } throws: {
            "\($0)".contains("lockstep")
        }
        let many = try (0..<41).map { try axis("a\($0)=range(0.0, 8.0)") }
        #expect { try StudyDesign(arrangement: .sobol(4), axes: many).points() } throws: {
            "\($0)".contains("at most 40 axes")
        }
        let large = try (0..<4).map { try axis("a\($0)=range(1, 1000, 1)") }
        #expect { try StudyDesign(axes: large).points() } throws: { "\($0)".contains("at most 1000000") }
    }

    @Test(arguments: [
        ("=1", "key=values"), ("a", "key=values"), ("a b=1", "an axis named"), ("seed=1,2", "another name"),
        ("mean:people=1", "another name"),
    ])
    func `what names no axis is one sentence`(text: String, part: String) {
        #expect { try axis(text) } throws: { "\($0)".contains(part) }
    }

    @Test func `a request takes the block, and the command line over it`() throws {
        let block = StudyBlock(
            name: "both", axes: [.init(name: "people", key: "people", values: .listed(["10", "20"]))],
            conditions: ["people > 5"],
            replications: 3)
        var request = try StudyRequest(block)
        request.add(try axis("people=30"))
        request.add(try axis("jitter:kinds.k.policy.jitter=1m"))
        #expect(request.axes.map(\.name) == ["people", "jitter"])
        #expect(try request.studyDesign(seed: 1).points().map(\.values) == [["30", "1m"]])
        request.add(try axis("other:people=1"))
        #expect { try request.studyDesign(seed: 1) } throws: { "\($0)".contains("set the same key, people") }
    }
}
