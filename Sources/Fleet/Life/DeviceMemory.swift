import SimulatedTime

/// Room for the state of one device at a time.
final class DeviceMemory {
    let instances: UnsafeMutablePointer<InstanceState>
    let briefs: UnsafeMutablePointer<InstanceBrief>
    /// Room for the indices of the instances with something to do at an instant.
    let active: UnsafeMutablePointer<Int>
    let lastWidgetView: UnsafeMutablePointer<Instant>
    let kindStates: UnsafeMutablePointer<KindState>
    let stacks: UnsafeMutablePointer<StackState>
    let campaigns: UnsafeMutablePointer<CampaignState>
    let fetches: UnsafeMutablePointer<FetchState>

    init(for prepared: PreparedPlan) {
        let mostInstances = prepared.mostInstances
        instances = .allocate(capacity: mostInstances)
        briefs = .allocate(capacity: mostInstances)
        active = .allocate(capacity: mostInstances)
        lastWidgetView = .allocate(capacity: max(1, prepared.plan.apps.count))
        kindStates = .allocate(capacity: max(1, prepared.plan.kinds.count))
        stacks = .allocate(capacity: StackPlan.most)
        campaigns = .allocate(capacity: PushCampaign.most)
        fetches = .allocate(capacity: max(1, prepared.plan.apps.count))
    }

    deinit {
        instances.deallocate()
        briefs.deallocate()
        active.deallocate()
        lastWidgetView.deallocate()
        kindStates.deallocate()
        stacks.deallocate()
        campaigns.deallocate()
        fetches.deallocate()
    }
}
