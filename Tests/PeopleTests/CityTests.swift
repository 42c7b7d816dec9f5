import Basics
import Testing
import WidgetPlatform

@testable import People

/// Rules: D1, L8.
@Suite struct CityTests {
    @Test func `names are unique, zones known, regions listed`() {
        let all = CityTable.all
        #expect(all.count >= 400 && Set(all.map(\.name)).count == all.count)
        for (number, city) in all.enumerated() {
            #expect(
                city.number == number && ScenarioClock.knowsZone(city.zone) && CityTable.regions.contains(city.region),
                "\(city.name)")
            #expect(
                city.country.count == 2 && city.population >= 50_000 && city.population < 40_000_000, "\(city.name)")
            #expect(CityTable.city(named: city.name) == city)
        }
    }

    @Test func `coordinates agree with the zone's clock`() throws {
        let clock = ScenarioClock(startUnixMicroseconds: 1_768_435_200_000_000)  // 2026-01-15T00:00Z
        for city in CityTable.all {
            let position = try #require(city.position)
            #expect((-60...70).contains(position.latitude) && (-180...180).contains(position.longitude), "\(city.name)")
            let zone = try #require(clock.zoneTable(city.zone, until: .start + .days(1)))
            // The standard time: the lesser of January's and July's offsets.
            let intervals = [Instant.start, .start + .days(180)].map {
                zone.intervals[zone.intervalIndex(at: $0)].offsetSeconds
            }
            var apart = position.longitude / 15 - Double(intervals.min()!) / 3_600
            if apart < -12 { apart += 24 }
            #expect(apart.magnitude <= 3.5, "\(city.name): \(apart) h")
        }
    }

    @Test func `the presets' shares add up, by zone as the calibration has them`() {
        for preset in CityPreset.allCases {
            let shares = preset.shares
            #expect((shares.reduce(0) { $0 + $1.share } - 1).magnitude < 1e-12 && shares.allSatisfy { $0.share > 0 })
            #expect(Set(shares.map(\.city.number)).count == shares.count)
        }
        func share(_ preset: CityPreset, _ belongs: (City) -> Bool) -> Double {
            preset.shares.filter { belongs($0.city) }.reduce(0) { $0 + $1.share }
        }
        for (zones, expected) in [
            (["America/Chicago"], 0.291), (["America/Denver", "America/Boise", "America/Phoenix"], 0.067),
            (["America/Los_Angeles", "America/Anchorage", "Pacific/Honolulu"], 0.166),
        ] { #expect((share(.us) { zones.contains($0.zone) } - expected).magnitude < 1e-12) }
        #expect(CityPreset.us.shares.count >= 60 && CityPreset.world.shares.count == CityTable.all.count)
        for (country, expected) in [("US", 0.2), ("CA", 0.02), ("CN", 0.2), ("JP", 0.07)] {
            #expect((share(.world) { $0.country == country } - expected).magnitude < 1e-12, "\(country)")
        }
    }

    @Test func `the table holds what the presets need`() {
        func count(_ country: String) -> Int { CityTable.all.count { $0.country == country } }
        #expect(count("CN") >= 5 && count("IN") >= 10 && count("US") >= 60 && count("JP") >= 5)
        for country in [
            "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU",
            "LV", "MT", "NL",
            "PL", "PT", "RO", "SE", "SI", "SK",
        ] {
            #expect(count(country) > 0, "\(country)")
        }
        for zone in ["America/Phoenix", "America/Anchorage", "Pacific/Honolulu"] {
            #expect(CityTable.cities(inZone: zone)[0].country == "US")
        }
    }

    @Test func `a zone without a city has a stand-in of its name`() {
        let cities = CityTable.cities(inZone: "Antarctica/Troll")
        #expect(
            cities.count == 1 && cities[0].name == "Antarctica/Troll" && cities[0].region == "other"
                && cities[0].position == nil)
        #expect(cities == CityTable.cities(inZone: "Antarctica/Troll"))
        #expect(CityTable.cities(inZone: "Africa/Ceuta")[0].region == "africa")
        #expect(
            CityTable.all.allSatisfy { $0.number < 4_096 } && cities[0].number >= 4_096 && cities[0].number < 1 << 20)
    }

    @Test func `distances are those of the globe`() {
        var plan = TestPopulation.plan(seed: 1)
        plan.cities.append(CityTable.standIn(forZone: "America/New_York"))
        plan.regions.append("other")
        for segment in plan.segments.indices { plan.segments[segment].habits.cityShares.append(0) }
        let prepared = try! TestPopulation.prepared(plan)
        // The cities lie in memory of the population's.
        defer { withExtendedLifetime(prepared) {} }
        let cities = prepared.cities
        // New York–London 5,570 km, London–Tokyo 9,560 km.
        #expect((5_540...5_600).contains(cities[0].kilometres(to: cities[1]) ?? 0))
        #expect((9_520...9_600).contains(cities[1].kilometres(to: cities[2]) ?? 0))
        #expect(cities[0].kilometres(to: cities[0]) == 0 && cities[0].kilometres(to: cities[3]) == nil)
        #expect(cities[3].destinations == nil && cities[0].destinations != nil)
    }

    @Test func `homes lie in the city, more of them in the middle`() {
        let prepared = try! TestPopulation.prepared(TestPopulation.plan(seed: 5))
        var near = 0
        for person in 0..<4_000 as Range<UInt64> {
            let traits = PersonTraits(number: person, prepared)
            let city = prepared.plan.cities[traits.city]
            let distance = traits.home.distance(to: city.centre)
            #expect(distance <= city.radius)
            if distance < city.radius / 2 { near += 1 }
        }
        #expect(
            (1_840...2_160).contains(near), "half the radius holds half the homes, and a quarter of the area: \(near)")
    }

    @Test func `cells of two cities, and of two places a cell apart, have keys of their own`() {
        for cell in [100_000, 10_000_000, 1_000_000_000] as [Int64] {
            var keys: Set<Int64> = []
            let cities = CityTable.all + [CityTable.standIn(forZone: "Etc/UTC")]
            for city in cities {
                for (x, y) in [(0, 0), (1, 0), (0, 1), (-1, -1)] as [(Int64, Int64)] {
                    let key = DrawnWorld.place(Point(x: city.centre.x + x * cell, y: y * cell), cell: cell)
                    #expect(key > 0 && key < 1 << 60)
                    keys.insert(key)
                }
            }
            #expect(keys.count == 4 * cities.count)
        }
    }
}
