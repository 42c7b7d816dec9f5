import Basics
import People
import ScenarioModel
import Statistics

/// The prepared placements of a device that people may carry.
struct PreparedDevice {
    let plan: DevicePlan
    /// All ways in which an instance can stand on it.
    let placements: [Placement]
    /// The chances that those placed one by one are present.
    let present: [Bernoulli]
    /// The choice of each placement; nil if it chooses nothing.
    let choices: [PreparedChoice?]
    let bundles: [PreparedBundle]
    let flips: [StackFlips?]
    /// How the views of its stacks spread over their widgets.
    let stackViews: StackViews

    init(_ device: DevicePlan, choices: ChoiceKeys, stackViews: StackViews, _ tables: inout StandardTables)
        throws(DistributionProblem)
    {
        self.stackViews = stackViews
        plan = device
        placements = device.allPlacements
        var present: [Bernoulli] = []
        for placement in device.placements { present.append(try Bernoulli(probability: placement.share)) }
        self.present = present
        var prepared: [PreparedChoice?] = []
        for placement in placements {
            if case .chosen(let names, let popularity) = placement.location {
                prepared.append(try PreparedChoice(names, popularity, choices))
            } else {
                prepared.append(nil)
            }
        }
        self.choices = prepared
        var bundles: [PreparedBundle] = []
        var first = device.placements.count
        for bundle in device.bundles {
            bundles.append(try PreparedBundle(bundle, firstPlacement: first, &tables))
            first += bundle.widgets.count
        }
        self.bundles = bundles
        var flips: [StackFlips?] = []
        for stack in device.stacks { flips.append(try StackFlips(share: stack.flipShare, tables.exponential)) }
        self.flips = flips
    }

    /// The key that a placement is set to by a draw; 0 if it chooses nothing.
    func chosenKey(placement: Int, _ u: UInt64) -> Int64 {
        choices[placement].map { $0.key(u) } ?? 0
    }

    /// How many things a placement can be set to.
    func choiceCount(placement: Int) -> Int { choices[placement].map(\.count) ?? 0 }

    /// The most instances that one such device can carry.
    var mostInstances: Int { plan.placements.count + plan.bundles.count * DevicePlan.mostOfBundle }
}

/// An app's bundle, prepared.
struct PreparedBundle {
    let carried: Bernoulli
    let instances: PreparedDistribution
    let widget: DiscreteChoice
    /// The index of its first placement among the device's.
    let firstPlacement: Int

    init(_ bundle: BundlePlan, firstPlacement: Int, _ tables: inout StandardTables) throws(DistributionProblem) {
        carried = try Bernoulli(probability: bundle.share)
        instances = try bundle.instances.prepared(with: &tables)
        widget = try DiscreteChoice(weights: bundle.widgets.map(\.weight), name: "widgets")
        self.firstPlacement = firstPlacement
    }

    /// How many instances a device that carries any has.
    func count(_ u: UInt64) -> Int {
        let drawn = instances.draw(u)
        return Int(min(max(drawn, 1), Double(DevicePlan.mostOfBundle)) + 0.5)
    }
}

extension PreparedPlan {
    /// Finds the instances that a person's device carries in the run: the placement of each, its number, when it is
    /// installed, and whether it has been there before the run.
    @inline(__always) func eachInstance(
        of owner: DeviceOwner,
        _ take: (_ placement: Int, _ number: Int, _ installedAt: Instant, _ isPresent: Bool) -> Void
    ) {
        let device = device(of: owner)
        for index in device.pointee.plan.placements.indices {
            if device.pointee.placements[index].isFromPhone && !owner.carries(.phone) { continue }
            let isPresent = device.pointee.present[index].holds(presenceNumber(owner, placement: index))
            let rate = Placement.rate(ofShare: device.pointee.placements[index].addedPerDay)
            let installedAt =
                isPresent
                ? Instant.start
                : RandomArrivals(perDay: rate, tables.exponential).next(
                    after: plan.begin, owner.streams.number(.instanceAddition, sub: index))
            if installedAt < plan.end { take(index, index, installedAt, isPresent) }
        }
        for (index, bundle) in device.pointee.bundles.enumerated()
        where bundle.carried.holds(owner.streams.number(.bundlePresence, sub: index)) {
            // Numbers that no other instance of the device has.
            let first = DevicePlan.mostOfBundle * (index + 1)
            for member in 0..<bundle.count(owner.streams.number(.bundleCount, sub: index)) {
                let widget = bundle.widget.index(owner.streams.number(.bundleWidget, sub: first + member))
                take(bundle.firstPlacement + widget, first + member, .start, true)
            }
        }
    }

    /// The random number that decides whether a person has an instance.
    private func presenceNumber(_ owner: DeviceOwner, placement index: Int) -> UInt64 {
        let isEven = population.plan.hasStratifiedTraits && owner.slot == 0
        let trait = isEven ? StratifiedTrait.instance(index) : nil
        return owner.streams.number(.instancePresence, sub: index, evenly: trait)
    }
}
