import WidgetPlatform

/// The work that the events of one instant leave for its later priorities (T3).
struct InstantFlags {
    /// Whether any view leads to the use of a button, and to a tap (V5).
    var hasInteractions = false
    var hasTaps = false
    /// Whether any app that was opened or closed calls for reloads.
    var hasOwnCalls = false
    /// Whether a gate may have opened or closed for every waiting reload.
    var gatesMoved = false
    /// The events that have happened and that a provider of a user's own listens to (P9).
    var heard: ProviderContext.Events = []
}
