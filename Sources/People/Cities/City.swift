import EmbeddedTexts
import Statistics
import WidgetPlatform

/// A city that people live in and travel to (D1, L1).
public struct City: Hashable, Sendable {
    /// Tells the city's plane apart from all others: its place in the table, or, of a stand-in, a number from its
    /// zone's name. Below 2^20.
    public let number: Int
    public let name: String
    /// ISO 3166; `ZZ` for a stand-in.
    public let country: String
    /// Degrees north and east; nil for a stand-in, to and from which nobody travels.
    public let position: Position?
    /// People in the metropolitan area.
    public let population: Int
    /// The IANA name of its time zone.
    public let zone: String
    /// The region of the edge cache that its people's requests reach (S2).
    public let region: String

    public struct Position: Hashable, Sendable {
        public let latitude, longitude: Double

        /// The point of the unit sphere.
        var vector: SIMD3<Double> {
            let (sineLatitude, cosineLatitude) = DeterministicMath.sineAndCosine(turns: latitude / 360)
            let (sineLongitude, cosineLongitude) = DeterministicMath.sineAndCosine(turns: longitude / 360)
            return SIMD3(cosineLatitude * cosineLongitude, cosineLatitude * sineLongitude, sineLatitude)
        }
    }

    /// Millimetres. Assumption: the area grows with the population, so the radius with its root: 9 km for a million
    /// people, 26 km for twenty.
    public var radius: Double { 4e6 + 5e6 * (Double(population) / 1e6).squareRoot() }

    /// The centre, on a plane that holds all cities side by side: 20,000 km for each, so that points of two cities are
    /// always far apart.
    public var centre: Point { Point(x: Int64(number) * Self.planeWidth + Self.planeWidth / 2, y: 0) }

    /// Millimetres.
    static let planeWidth: Int64 = 20_000_000_000
}

/// The table of cities.
public enum CityTable {
    /// In the order of their numbers.
    public static let all: [City] = EmbeddedText.cities.utf8.split(separator: UInt8(ascii: "\n")).enumerated().map {
        number, line in
        let fields = line.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
        guard fields.count == 7, let latitude = Double(fields[2]), let longitude = Double(fields[3]),
            let millions = Double(fields[4])
        else {
            preconditionFailure("line \(number) of the cities: \(line)")
        }
        return City(
            number: number, name: fields[0], country: fields[1],
            position: City.Position(latitude: latitude, longitude: longitude),
            population: Int((millions * 1e6).rounded()), zone: fields[5], region: fields[6])
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    private static let byZone = Dictionary(grouping: all, by: \.zone)

    /// The names in alphabetical order, for suggestions.
    public static let names = all.map(\.name).sorted()

    public static func city(named name: String) -> City? { byName[name] }

    /// The cities of a zone, in the table's order; a zone without one has a stand-in of its name.
    public static func cities(inZone zone: String) -> [City] { byZone[zone] ?? [standIn(forZone: zone)] }

    /// Assumption: a small city. Nothing is known of where it lies but the continent in the zone's name.
    static func standIn(forZone zone: String) -> City {
        var hash: UInt32 = 2_166_136_261
        for byte in zone.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let region =
            switch zone.split(separator: "/").first {
            case "Africa": "africa"
            case "Australia", "Pacific": "oceania"
            case "Europe": "europe-central"
            default: "other"
            }
        return City(
            number: 4_096 + Int(hash % 1_000_000), name: zone, country: "ZZ", position: nil, population: 100_000,
            zone: zone, region: region
        )
    }

    /// The names of the edge regions, in the order of reports.
    public static let regions = [
        "us-east", "us-central", "us-west", "canada", "south-america", "europe-west", "europe-central", "europe-east",
        "middle-east",
        "africa",
        "south-asia", "southeast-asia", "east-asia", "china", "oceania", "other",
    ]
}

/// Where the people of a fleet live, by a name that a scenario can state.
public enum CityPreset: String, CaseIterable, Sendable {
    case us, world

    /// The cities with their shares of the people, which add up to 1.
    public var shares: [(city: City, share: Double)] {
        switch self {
        case .us: Self.unitedStates
        case .world: Self.wholeWorld
        }
    }

    /// By the zones' shares (docs/calibration-data.md §7), within a zone by population. Alaska and Hawaii are in the
    /// Pacific's share.
    private static var unitedStates: [(city: City, share: Double)] {
        let cities = CityTable.all.filter { $0.country == "US" }
        return [(0.476, eastern), (0.291, ["America/Chicago"]), (0.067, mountain)].flatMap { share, zones in
            shared(share, by: cities.filter { zones.contains($0.zone) })
        } + shared(0.166, by: cities.filter { !(eastern + mountain + ["America/Chicago"]).contains($0.zone) })
    }

    private static let eastern = [
        "America/New_York", "America/Detroit", "America/Indiana/Indianapolis", "America/Kentucky/Louisville",
    ]
    private static let mountain = ["America/Denver", "America/Boise", "America/Phoenix"]

    /// By the shares of the parts of the world (docs/calibration-data.md §7, a prior), within each by population.
    private static var wholeWorld: [(city: City, share: Double)] {
        let parts: [(Double, (City) -> Bool)] = [
            (0.02, { $0.country == "CA" }),
            (0.20, { union.contains($0.country) }),
            (0.20, { $0.country == "CN" }),
            (0.07, { $0.country == "JP" }),
            (0.07, { $0.region == "south-america" || $0.region.hasPrefix("us-") && $0.country != "US" }),
            (
                0.14,
                { ["south-asia", "southeast-asia", "east-asia", "oceania"].contains($0.region) && $0.country != "RU" }
            ),
            (0.10, { _ in true }),
        ]
        var shares = unitedStates.map { ($0.city, $0.share * 0.20) }
        var rest = CityTable.all.filter { $0.country != "US" }
        for (share, belongs) in parts {
            shares += shared(share, by: rest.filter(belongs))
            rest.removeAll(where: belongs)
        }
        return shares
    }

    /// The European Union, the United Kingdom and Switzerland.
    private static let union: Set<String> = [
        "AT", "BE", "BG", "HR", "CY", "CZ", "DK", "EE", "FI", "FR", "DE", "GR", "HU", "IE", "IT", "LV", "LT", "LU",
        "MT", "NL", "PL", "PT",
        "RO",
        "SK", "SI", "ES", "SE", "GB", "CH",
    ]

    /// A share of all people, spread over cities by population.
    public static func shared(_ share: Double, by cities: [City]) -> [(city: City, share: Double)] {
        let people = cities.reduce(0) { $0 + $1.population }
        return cities.map { ($0, share * Double($0.population) / Double(people)) }
    }
}
