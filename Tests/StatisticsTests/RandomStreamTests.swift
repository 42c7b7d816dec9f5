import Testing

@testable import Statistics

@Suite struct PhiloxTests {
    private func vectors(rounds: Int) -> [TwoWords] {
        [
            Philox2x64.block(TwoWords(0, 0), key: 0, rounds: rounds),
            Philox2x64.block(TwoWords(.max, .max), key: .max, rounds: rounds),
            Philox2x64.block(
                TwoWords(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344), key: 0xa409_3822_299f_31d0, rounds: rounds),
        ]
    }

    /// Random123's `kat_vectors` for philox2x64, which has 7 and 10 rounds.
    @Test func `the block function gives the published vectors`() {
        #expect(
            vectors(rounds: 10) == [
                TwoWords(0xca00_a045_9843_d731, 0x66c2_4222_c9a8_45b5),
                TwoWords(0x65b0_21d6_0cd8_310f, 0x4d02_f322_2f86_df20),
                TwoWords(0x0a5e_742c_2997_341c, 0xb0f8_83d3_8000_de5d),
            ])
        #expect(
            vectors(rounds: 7) == [
                TwoWords(0xb41d_a69f_bfef_c666, 0x511e_9ce1_a553_4056),
                TwoWords(0xa469_6cc0_4462_015d, 0x7247_82da_e171_69e9),
                TwoWords(0x98ed_1534_392b_f372, 0x6752_8b15_6888_2fd5),
            ])
    }

    /// The rounds that every number is drawn with, by a second implementation in numbers without a limit of size
    /// (Python).
    @Test func `six rounds are in use`() {
        #expect(
            vectors(rounds: 6) == [
                TwoWords(0x7ee2_7967_82e4_de12, 0x6921_e1f4_eea1_2943),
                TwoWords(0x62cb_7fa1_1e10_1713, 0x4074_1ef3_d337_be5d),
                TwoWords(0xbccd_5250_69e6_80f7, 0x5adc_9137_1882_73af),
            ])
        #expect(Philox2x64.block(TwoWords(1, 2), key: 3) == Philox2x64.block(TwoWords(1, 2), key: 3, rounds: 6))
    }
}

@Suite struct RandomStreamTests {
    @Test func `a stream uses both halves of every block and computes none twice`() {
        var stream = RandomStream(
            seed: 0x299f_31d0_a409_3822, person: 0x12_3456_789A, slot: 3, purpose: .pickup, sub: 0xBEEF)
        let start = stream
        for number in 0..<5 as Range<UInt64> {
            let block = Philox2x64.block(
                TwoWords(UInt64(Purpose.pickup.rawValue) << 48 | number, 0xBEEF_0312_3456_789A),
                key: 0x299f_31d0_a409_3822)
            #expect(stream.next() == block.w0)
            #expect(stream.next() == block.w1)
            #expect(start.pair(at: number) == (block.w0, block.w1))
        }
    }

    @Test func `random access and the sequence give the same numbers`() {
        let start = RandomStream(seed: 20_260_101, person: 7, slot: 0, purpose: .nightOnset)
        var stream = start
        let numbers = (0..<100).map { _ in stream.next() }
        for (index, number) in numbers.enumerated() {
            #expect(start.value(at: UInt64(index)) == number)
        }
    }

    @Test func `a stream keeps its numbers beyond block 2^32`() {
        let stream = RandomStream(seed: 1, person: 1, purpose: .segment)
        let far = (1 as UInt64) << 33
        #expect(stream.value(at: far) == Philox2x64.block(TwoWords(100 << 48 | 1 << 32, 255 << 40 | 1), key: 1).w0)
    }

    /// Every bit of every field, alone and together with its neighbours' extremes, changes the counter: no field spills
    /// into another.
    @Test func `two keys never share a number`() {
        var people: [UInt64] = [0, RandomStream.personLimit - 1]
        people += (0..<40).map { 1 << UInt64($0) }
        var slots: [UInt8] = [0, 255]
        slots += (0..<8).map { 1 << UInt8($0) }
        var subs: [UInt16] = [0, .max]
        subs += (0..<16).map { 1 << UInt16($0) }
        var keys: Set<[UInt64]> = []
        var numbers: Set<UInt64> = []
        var drawn = 0
        for person in people {
            for slot in Set(slots) {
                for sub in Set(subs) {
                    for purpose in [Purpose.segment, .city, .versionTimes] {
                        guard keys.insert([person, UInt64(slot), UInt64(sub), UInt64(purpose.rawValue)]).inserted else {
                            continue
                        }
                        let stream = RandomStream(seed: 42, person: person, slot: slot, purpose: purpose, sub: sub)
                        for index in [0, 1, 2, 1 << 32, 1 << 48] as [UInt64] {
                            numbers.insert(stream.value(at: index))
                            drawn += 1
                        }
                    }
                }
            }
        }
        // By chance alone, two of these numbers would be the same once in 10^9 seeds.
        #expect(numbers.count == drawn)
    }

    @Test func `another seed gives other numbers`() {
        let seeds: [UInt64] = [0, 1, 1 << 31, 1 << 32, 1 << 63, .max]
        let numbers = seeds.map { RandomStream(seed: $0, person: 5, purpose: .homePlace).value(at: 0) }
        #expect(Set(numbers).count == seeds.count)
    }

    @Test func `a uniform draw lies strictly between 0 and 1, both ends alike`() {
        #expect(RandomStream.uniform(0) == 0x1p-53)
        #expect(RandomStream.uniform(.max) == 1 - 0x1p-53)
        #expect(RandomStream.uniform(1 << 63) == 0.5 + 0x1p-53)
        var stream = RandomStream(seed: 3, person: 0, purpose: .dayLevel)
        for _ in 0..<1000 {
            let u = stream.next()
            #expect(RandomStream.uniform(u) + RandomStream.uniform(~u) == 1)
        }
    }

    @Test func `an index reaches both ends and nothing beyond`() {
        #expect(RandomStream.index(0, below: 7) == 0)
        #expect(RandomStream.index(.max, below: 7) == 6)
        #expect(RandomStream.index(.max, below: 1) == 0)
    }

    /// Low rounds show here first: with four, counts over neighbouring people vary half as much as they should.
    @Test func `counts over neighbouring people vary as much as chance has it`() {
        let (seeds, people, limit) = (1_000, 1_000, UInt64.max / 4)
        var (sum, squares) = (0.0, 0.0)
        for seed in 0..<UInt64(seeds) {
            var count = 0.0
            for person in 0..<UInt64(people)
            where RandomStream(seed: seed, person: person, slot: 0, purpose: .instancePresence).value(at: 0) < limit {
                count += 1
            }
            (sum, squares) = (sum + count, squares + count * count)
        }
        let mean = sum / Double(seeds)
        let variance = squares / Double(seeds) - mean * mean
        let expected = Double(people) * 3 / 16
        #expect(
            (variance / expected - 1).magnitude < 5 * (2 / Double(seeds)).squareRoot(), "\(variance) for \(expected)")
        #expect((mean - Double(people) / 4).magnitude < 5 * (expected / Double(seeds)).squareRoot())
    }

    /// A gross fault (a stuck or copied bit) would show; finer tests of Philox are published.
    @Test func `each bit is set half the time, and neighbouring people are not correlated`() {
        var set = [Int](repeating: 0, count: 64)
        var agreeing = 0
        let people = 40_000
        for person in 0..<UInt64(people) {
            let number = RandomStream(seed: 9, person: person, purpose: .unlockMean).value(at: 0)
            let next = RandomStream(seed: 9, person: person + 1, purpose: .unlockMean).value(at: 0)
            for bit in 0..<64 { set[bit] += Int(number >> UInt64(bit) & 1) }
            agreeing += (~(number ^ next)).nonzeroBitCount
        }
        let deviation = (Double(people) / 4).squareRoot()
        for bit in 0..<64 { #expect((Double(set[bit]) - Double(people) / 2).magnitude < 5 * deviation, "bit \(bit)") }
        #expect((Double(agreeing) - Double(people) * 32).magnitude < 5 * (Double(people) * 16).squareRoot())
    }
}

@Suite struct PurposeTests {
    /// Renumbering changes every result: a value may be added here, never changed.
    @Test func `purposes keep their raw values`() {
        let pinned: [Purpose: UInt32] = [
            .segment: 100, .city: 115, .homePlace: 120, .workPlace: 130, .commuter: 140, .deviceOwnership: 150,
            .ageGroup: 202,
            .daySleeper: 204, .usualOnsetWorkday: 210, .usualWakeWorkday: 220, .usualOnsetFree: 230,
            .usualWakeFree: 240, .nightOnset: 250,
            .nightOnsetSpread: 254, .nightWakeSpread: 256, .nightWake: 260, .unlockMean: 300, .dailyDispersion: 305,
            .dayLevel: 310,
            .hourLevel: 315, .firstPickup: 318, .pickup: 322, .sessionLevel: 335,
            .appOpening: 382, .appOpeningRate: 385, .controlUse: 386, .appForegroundTime: 390,
            .commuteDeparture: 400, .usualDeparture: 405, .usualCommute: 408, .tripTime: 415, .workStay: 420,
            .outingLevel: 422, .outingDay: 424, .outingCount: 426, .outingDeparture: 428, .onward: 432,
            .exploration: 434, .knownPlace: 436,
            .knownPlaces: 438, .placeDistance: 442, .placeDirection: 444, .distanceLevel: 446, .tripStay: 460,
            .navigation: 470,
            .travelRate: 480, .travelDay: 482, .travelDeparture: 484, .travelDestination: 486, .travelStay: 488,
            .lodging: 490,
            .audioStart: 502, .audioLength: 510, .passcode: 520, .permissionMode: 530, .preciseLocation: 540,
            .settingsGap: 550,
            .settingsKind: 555, .reboot: 560, .appearance: 565, .instancePresence: 600, .instanceChoice: 610,
            .instanceAddition: 612,
            .configurationEdit: 614, .editedChoice: 616, .historyViews: 620, .warmContentAge: 630, .stackHistory: 635,
            .warmLocation: 642, .warmAppUse: 646,
            .dispatchDelay: 700, .freeDelay: 705, .transferDeferral: 708, .transferReadiness: 709,
            .transferWait: 711, .oneWayDelays: 712, .policyJitter: 730, .keptJitter: 731, .locationFix: 742,
            .appWakeUp: 760, .versionTimes: 770, .resampling: 900, .versionKey: 771,
            .versionBlock: 772, .versionHalf: 773, .versionPlace: 774, .gameOfRound: 775, .gameVersions: 776,
            .backgroundRefresh: 152, .hiddenLockScreen: 154, .hiddenAlwaysOn: 156, .alwaysOnDisplay: 158,
            .accentedFace: 160,
            .wornAtNight: 162, .standbyOwner: 164, .deskUse: 176, .portableMac: 178, .macOnPower: 180, .deskHours: 596,
            .desktopLook: 597,
            .notificationCenter: 598, .usedDay: 325, .weekdayFactor: 392, .quietShare: 394, .quietDay: 396,
            .alwaysOnLook: 398,
            .glanceSurface: 399, .signedIn: 545, .permissionChange: 546, .changedMode: 547, .releaseAdoption: 568,
            .releaseNight: 570, .releasePhase: 572, .lowPowerStart: 575, .lowPowerLength: 576, .offlineStart: 580,
            .offlineLength: 581,
            .chargeStart: 585,
            .chargeLength: 586, .standbyNight: 590, .standbyLook: 591, .bundlePresence: 604, .bundleCount: 606,
            .bundleWidget: 608,
            .interaction: 650, .stackFlip: 656, .stackFurtherFlip: 657, .contentChange: 660, .tap: 664,
            .tapForegroundTime: 666, .rareReload: 668, .campaignReach: 762, .campaignDelay: 763,
            .contentPush: 766,
            .fetchPresence: 764, .fetchPhase: 765, .fetchDelay: 768, .fetchDelays: 769, .fetchPatience: 787,
            .failover: 788, .sampledOutcome: 790, .reloadExample: 791, .ownProvider: 792, .contentValue: 793,
            .serverAnswer: 794, .serverTurn: 795, .notModified: 796, .edgeTimeToLive: 797, .servedPace: 798,
            .copyPhase: 840, .publication: 777, .pastPublication: 778,
            .copyContent: 841,
            .copyTry: 842,
            .activityStart: 802, .activityLength: 803, .activityUpdate: 804, .activityPriority: 805,
            .sendPlace: 806, .pushRefusal: 807, .pushRetry: 808, .activityPushDelay: 809, .lowPriorityDelay: 810,
            .surfaceOpening: 820, .openingTime: 821, .workoutStart: 822, .workoutTime: 823, .carOwner: 824, .drive: 825,
            .pageAtFirst: 826, .pageGap: 827, .pageTime: 828, .furtherTile: 829, .halfOfLoad: 890,
            .frequentUpdates: 811, .dynamicIsland: 812, .activityDismissal: 813, .projectMinute: 814,
            .contentPushDelay: 767, .serviceTime: 780, .originDelays: 781, .retryDelay: 782, .patience: 783,
            .failureDelay: 784, .backgroundArrival: 785,
            .backgroundRequest: 786,
            .runResampling: 905, .designOrder: 910, .designPlace: 912, .designShift: 914, .trajectoryStart: 916,
            .trajectoryDirection: 918,
            .trajectoryOrder: 920,
            .nightCharge: 587, .carCharge: 588, .deskCharge: 589, .motion: 594, .refreshPhase: 670, .refreshDelay: 671,
            .jobTime: 672, .loweredMessage: 673, .killer: 674, .restrictedApp: 675,
            .appUpdate: 676, .exactAlarms: 677,
        ]
        for purpose in Purpose.allCases {
            #expect(
                purpose.rawValue == pinned[purpose], "\(purpose): a new one joins the list, an old one keeps its number"
            )
        }
        let retired: Set<UInt32> = [
            110, 200, 320, 330, 332, 340, 350, 360, 370, 380, 395, 410, 430, 440, 450, 500, 640, 655, 710, 720, 740,
            750,
        ]
        #expect(Purpose.allCases.allSatisfy { !retired.contains($0.rawValue) }, "a retired number is not used again")
    }

    @Test func `raw values fit their 16 bits of the key`() {
        for purpose in Purpose.allCases { #expect(purpose.rawValue < 1 << 16, "\(purpose)") }
    }
}
