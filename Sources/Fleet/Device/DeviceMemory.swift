import Basics
import People

/// Room for the state of one device at a time, in one block of memory.
///
/// The block begins with room for what else its owner keeps of the device. The fields that describe the device follow
/// it without a gap, the instances last, so that the device can be copied or compared in one piece.
final class DeviceMemory {
    let instances: UnsafeMutablePointer<InstanceState>
    let briefs: UnsafeMutablePointer<InstanceBrief>
    /// Room for the indices of the instances with something to do at an instant.
    let active: UnsafeMutablePointer<Int>
    let lastWidgetView: UnsafeMutablePointer<Instant>
    let kindStates: UnsafeMutablePointer<KindState>
    let stacks: UnsafeMutablePointer<StackState>
    let silentPushes: UnsafeMutablePointer<SilentPushState>
    let campaigns: UnsafeMutablePointer<CampaignState>
    let fetches: UnsafeMutablePointer<FetchState>
    /// By kind and by app, of Android devices.
    let providers: UnsafeMutablePointer<ProviderState>
    let jobs: UnsafeMutablePointer<JobState>
    let apps: AppMemory
    /// By instance, what providers of a user's own remember.
    let providerRoom: UnsafeMutablePointer<UInt64>
    /// The block, all zeros at first.
    let bytes: UnsafeMutableRawPointer
    private let instancesAt: Int

    /// - Parameters:
    ///   - head: bytes at the beginning of the block for its owner.
    ///   - instances: the most that stand on the device; nil for as many as stand on any. The words that describe a
    ///     device lie at the same places for any number.
    init(for prepared: PreparedPlan, head: Int = 0, instances: Int? = nil) {
        let mostInstances = prepared.mostInstances
        let count = instances ?? mostInstances
        var end = head
        func place<Value>(_ type: Value.Type, _ count: Int) -> Int {
            let alignment = max(MemoryLayout<Value>.alignment, MemoryLayout<UInt64>.alignment)
            let offset = (end + alignment - 1) / alignment * alignment
            end = offset + count * MemoryLayout<Value>.stride
            return offset
        }
        let kindStatesAt = place(KindState.self, max(1, prepared.plan.kinds.count))
        let viewsAt = place(Instant.self, max(1, prepared.plan.apps.count))
        let appsAt = place(UInt64.self, AppMemory.words(apps: prepared.plan.apps.count))
        let stacksAt = place(StackState.self, prepared.mostStacks)
        let silentPushesAt = place(SilentPushState.self, max(1, prepared.plan.apps.count))
        let campaignsAt = place(CampaignState.self, prepared.campaigns.count)
        let fetchesAt = place(FetchState.self, max(1, prepared.plan.apps.count))
        let providersAt = place(ProviderState.self, prepared.hasAndroid ? prepared.plan.kinds.count : 0)
        let jobsAt = place(JobState.self, prepared.hasAndroid ? prepared.plan.apps.count : 0)
        let providerRoomAt = place(UInt64.self, mostInstances * prepared.providerWords)
        let briefsAt = place(InstanceBrief.self, mostInstances)
        instancesAt = place(InstanceState.self, count)
        let activeAt = place(Int.self, count)

        end += Self.line
        bytes = .allocate(byteCount: end, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: end)
        kindStates = (bytes + kindStatesAt).assumingMemoryBound(to: KindState.self)
        lastWidgetView = (bytes + viewsAt).assumingMemoryBound(to: Instant.self)
        stacks = (bytes + stacksAt).assumingMemoryBound(to: StackState.self)
        silentPushes = (bytes + silentPushesAt).assumingMemoryBound(to: SilentPushState.self)
        campaigns = (bytes + campaignsAt).assumingMemoryBound(to: CampaignState.self)
        fetches = (bytes + fetchesAt).assumingMemoryBound(to: FetchState.self)
        providers = (bytes + providersAt).assumingMemoryBound(to: ProviderState.self)
        jobs = (bytes + jobsAt).assumingMemoryBound(to: JobState.self)
        apps = AppMemory((bytes + appsAt).assumingMemoryBound(to: UInt64.self), apps: prepared.plan.apps.count)
        providerRoom = (bytes + providerRoomAt).assumingMemoryBound(to: UInt64.self)
        briefs = (bytes + briefsAt).assumingMemoryBound(to: InstanceBrief.self)
        self.instances = (bytes + instancesAt).assumingMemoryBound(to: InstanceState.self)
        active = (bytes + activeAt).assumingMemoryBound(to: Int.self)
    }

    /// Lines of the cache.
    private static let line = 64

    /// How many words of the block describe a device with so many instances: whole lines, so that some at the end can
    /// mean nothing.
    func words(instances count: Int) -> Int {
        (instancesAt + count * MemoryLayout<InstanceState>.stride + Self.line - 1) / Self.line * Self.line / 8
    }

    deinit { bytes.deallocate() }
}
