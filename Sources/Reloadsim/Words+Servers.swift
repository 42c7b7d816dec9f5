import Basics
import RefreshService
import Statistics

// The words in which a server of one's own is written.

/// A pool of a service in a type of one's own, which a scenario names: `pools: [{id: api, server: NAME, with: {…}}]`.
public typealias OriginServer = RefreshService.OriginServer

/// A request that reaches a server, as the server knows it.
public typealias ServerRequest = RefreshService.ServerRequest

/// The name of a request while a server holds it.
public typealias RequestID = RefreshService.RequestID

/// The outcome of a request: served, refused, lost, or held.
public typealias ServerAnswer = RefreshService.ServerAnswer

/// The content of an answer: its bytes, its age and its life at an edge.
public typealias ServerContent = RefreshService.ServerContent

/// Why a request is refused: by a limit, or for want of room.
public typealias ServerRefusal = RefreshService.ServerRefusal

/// The planned events that a server hears of.
public typealias ServerNews = RefreshService.ServerNews

/// The orders of a server for the requests that it holds.
public typealias HeldRequests = RefreshService.HeldRequests

/// Random numbers for one decision of a server.
public typealias ServerDraws = RefreshService.ServerDraws

/// The calendar and the clock of UTC, for windows of limits and capacity by the hour.
public typealias ServerCalendar = RefreshService.ServerCalendar

/// Values by a number, such as a client's, in a server that writes its state down.
public typealias KeyedTable = RefreshService.KeyedTable

/// The stream to which a server writes its state, or from which it reads it back: `try state.code(&count)`.
public typealias StateStream = Statistics.StateStream

/// A state that cannot be read or written.
public typealias StateProblem = Statistics.StateProblem
