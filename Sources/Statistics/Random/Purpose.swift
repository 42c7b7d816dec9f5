/// The decision that a random number makes. One purpose a decision: two decisions never share a stream.
///
/// The raw value is part of every stream's key, so a change of a raw value changes every result; a new decision takes a
/// new number in the gaps of its group and a retired number is not used again. Raw values are below 2^16.
public enum Purpose: UInt32, CaseIterable, Hashable, Sendable {
    // The person's traits and devices.

    /// The segment of the population.
    case segment = 100
    /// The city.
    case city = 115
    /// Where home lies.
    case homePlace = 120
    /// In which direction work lies.
    case workPlace = 130
    /// Whether the person commutes.
    case commuter = 140
    /// Which devices the person owns.
    case deviceOwnership = 150
    /// Whether background refresh is on.
    case backgroundRefresh = 152
    /// Whether the person hides private content on the locked display.
    case hiddenLockScreen = 154
    /// Whether the person hides private content on the dimmed display.
    case hiddenAlwaysOn = 156
    /// Whether the device has an always-on display.
    case alwaysOnDisplay = 158
    /// Whether the watch face, or another device's home pages are tinted or clear.
    case accentedFace = 160
    /// Whether the watch is worn at night.
    case wornAtNight = 162
    /// Whether the phone is ever put up in standby.
    case standbyOwner = 164
    /// Whether a Mac is used in office hours or in the evening.
    case deskUse = 176
    /// Whether a Mac travels with its person.
    case portableMac = 178
    /// Whether a portable Mac is on power whenever it is used.
    case macOnPower = 180

    // Sleep.

    /// The age group.
    case ageGroup = 202
    /// Whether the person sleeps by day before workdays.
    case daySleeper = 204
    /// Usual onset of sleep before a workday.
    case usualOnsetWorkday = 210
    /// Usual wake-up on a workday.
    case usualWakeWorkday = 220
    /// Usual onset of sleep before a free day.
    case usualOnsetFree = 230
    /// Usual wake-up on a free day.
    case usualWakeFree = 240
    /// One night's onset round the usual one.
    case nightOnset = 250
    /// How far a person's onsets spread from night to night.
    case nightOnsetSpread = 254
    /// How far a person's wake-ups spread from night to night.
    case nightWakeSpread = 256
    /// One night's wake-up round the usual one.
    case nightWake = 260

    // Pickups.

    /// The person's mean unlocks a day.
    case unlockMean = 300
    /// How much more a person's daily counts vary than chance alone would have them.
    case dailyDispersion = 305
    /// One day's level round the mean.
    case dayLevel = 310
    /// The level of one sixteenth of a waking day.
    case hourLevel = 315
    /// The gap from a wake-up, or from a zone crossing, to the first pickup.
    case firstPickup = 318
    /// A pickup: the gap to the next one, the length of its session, and whether it is a glance or which surfaces it
    /// shows.
    case pickup = 322
    /// Whether a device is used on a day.
    case usedDay = 325
    /// How long a person's sessions are.
    case sessionLevel = 335
    /// Which session opens an app next.
    case appOpening = 382
    /// How often a person opens an app.
    case appOpeningRate = 385
    /// In which session the person opens Control Center, or presses the action button, next.
    case controlUse = 386
    /// How long an opened app stays in the foreground.
    case appForegroundTime = 390
    /// How a person's weekdays differ from those of their segment.
    case weekdayFactor = 392
    /// The share of a person's days that are quiet.
    case quietShare = 394
    /// Whether a day is quiet.
    case quietDay = 396
    /// When the person looks at an always-on display without waking it.
    case alwaysOnLook = 398
    /// Whether a glance shows the today view.
    case glanceSurface = 399

    // Movement.

    /// How far a day's departure for work lies from the person's usual one.
    case commuteDeparture = 400
    /// When the person usually departs for work.
    case usualDeparture = 405
    /// How long the person's commute usually takes.
    case usualCommute = 408
    /// How long a trip takes, as a multiple of its distance's usual time.
    case tripTime = 415
    /// How long a stay at work lasts.
    case workStay = 420
    /// How many outings the person has, as a multiple of the distribution's mean.
    case outingLevel = 422
    /// How many outings a day has, as a multiple of the person's mean.
    case outingDay = 424
    /// How a day's mean number of outings is rounded.
    case outingCount = 426
    /// When an outing begins.
    case outingDeparture = 428
    /// Whether an outing continues to another place.
    case onward = 432
    /// Whether a trip goes to a new place.
    case exploration = 434
    /// To which known place a trip goes.
    case knownPlace = 436
    /// How many places the person knows at the start.
    case knownPlaces = 438
    /// How far a place lies from home.
    case placeDistance = 442
    /// In which direction a place lies.
    case placeDirection = 444
    /// How far the person's places lie, as a multiple of the distances drawn.
    case distanceLevel = 446
    /// How long the stay at a place lasts.
    case tripStay = 460
    /// Whether a trip is navigated.
    case navigation = 470
    /// How often the person travels to other cities.
    case travelRate = 480
    /// Whether a travel begins on a day.
    case travelDay = 482
    /// When on its day a travel departs.
    case travelDeparture = 484
    /// To which city a travel goes.
    case travelDestination = 486
    /// How long the stay in another city lasts.
    case travelStay = 488
    /// Where in another city the person lodges.
    case lodging = 490

    // Audio, lock state, permissions.

    /// In which session audio starts to play next.
    case audioStart = 502
    /// How long audio plays.
    case audioLength = 510
    /// Whether the device has a passcode.
    case passcode = 520
    /// The location permission of an app.
    case permissionMode = 530
    /// Whether the precise location is allowed.
    case preciseLocation = 540
    /// Whether the person is signed in to an app at the start.
    case signedIn = 545
    /// In which session the person changes the location permission of an app.
    case permissionChange = 546
    /// The mode that it is changed to.
    case changedMode = 547

    // The environment.

    /// When the person changes settings.
    case settingsGap = 550
    /// Which settings.
    case settingsKind = 555
    /// When the device reboots.
    case reboot = 560
    /// Whether the appearance is light, dark or automatic.
    case appearance = 565
    /// Whether and when the device installs a release of the system.
    case releaseAdoption = 568
    /// Whether it installs it by itself in the early morning, and when.
    case releaseNight = 570
    /// From which phase of a release on it is open to the device.
    case releasePhase = 572

    // Power, connection, wrist and bedside.

    /// When power runs low.
    case lowPowerStart = 575
    /// How long it stays low.
    case lowPowerLength = 576
    /// When the connection is lost.
    case offlineStart = 580
    /// How long it is away.
    case offlineLength = 581
    /// When a watch goes on its charger.
    case chargeStart = 585
    /// How long it stays there.
    case chargeLength = 586
    /// Whether an Android device lies on its charger in a night.
    case nightCharge = 587
    /// Whether it charges on trips.
    case carCharge = 588
    /// Whether and when it charges at a desk by day, and for how long.
    case deskCharge = 589
    /// Whether a phone is put up in standby in a night.
    case standbyNight = 590
    /// When the person looks at it.
    case standbyLook = 591
    /// When a device is moved that nobody looks at.
    case motion = 594
    /// When on a day the hours of a Mac's use begin, and how long they last.
    case deskHours = 596
    /// When the person looks at a Mac's desktop, and whether windows cover it.
    case desktopLook = 597
    /// Whether a session on a Mac shows the notification center.
    case notificationCenter = 598

    // Widgets on a device, and their past before the start.

    /// Whether an instance is present.
    case instancePresence = 600
    /// Whether a device carries any of an app's bundle.
    case bundlePresence = 604
    /// How many of it.
    case bundleCount = 606
    /// Which kind, size and place one of it has.
    case bundleWidget = 608
    /// Which of the possible instances is chosen.
    case instanceChoice = 610
    /// When an instance is added during the run.
    case instanceAddition = 612
    /// When the person edits an instance's configuration.
    case configurationEdit = 614
    /// The choice to which an edited instance is set.
    case editedChoice = 616
    /// The viewing history before the start.
    case historyViews = 620
    /// The age of the content at the start.
    case warmContentAge = 630
    /// The behaviour of the sample devices from which the history of a stack's widgets is made.
    case stackHistory = 635
    /// Which place an instance knows at the start, and whether its content is for that.
    case warmLocation = 642
    /// How long ago each app was last used at the start.
    case warmAppUse = 646
    /// Whether a view leads to the use of the widget's button.
    case interaction = 650
    /// At which pickup the person turns a stack next.
    case stackFlip = 656
    /// Whether the person turns it once more.
    case stackFurtherFlip = 657
    /// Whether an opening of the app changes its content.
    case contentChange = 660
    /// Whether a view leads to a tap, which opens the app.
    case tap = 664
    /// How long an app that a tap has opened stays in the foreground.
    case tapForegroundTime = 666

    // Reloads.

    /// Whether a view of a rarely viewed widget reloads it.
    case rareReload = 668
    /// When in its period a provider on Android stands at the start.
    case refreshPhase = 670
    /// How long after its instant an alarm goes off, or after its period a job runs.
    case refreshDelay = 671
    /// How long a job runs.
    case jobTime = 672
    /// Whether an urgent message is delivered as an ordinary one.
    case loweredMessage = 673
    /// Whether a device has a killer of its maker's own.
    case killer = 674
    /// Whether a person has restricted what an app does in the background.
    case restrictedApp = 675
    /// When an app on a device is updated next.
    case appUpdate = 676
    /// Whether an app on a device may set exact alarms.
    case exactAlarms = 677

    /// The delay from due to dispatched.
    case dispatchDelay = 700
    /// How long a free reload takes to reach the widget, and how much later than the first widget it hears of a change
    /// of the environment.
    case freeDelay = 705
    /// How long the system defers a transfer in the background.
    case transferDeferral = 708
    /// Whether a discretionary transfer begins with power and Wi-Fi.
    case transferReadiness = 709
    /// How long it waits for them.
    case transferWait = 711
    /// The ways of a request to the edge and of the answer back.
    case oneWayDelays = 712
    /// The reload policy's own jitter.
    case policyJitter = 730
    /// The offset that a device keeps for the dates of a kind.
    case keptJitter = 731
    /// How long a location fix takes, and whether it fails.
    case locationFix = 742
    /// When an app is woken up in the background.
    case appWakeUp = 760
    /// Whether a push campaign reaches the device.
    case campaignReach = 762
    /// How long its push takes.
    case campaignDelay = 763
    /// Whether an app on a device fetches in the background by itself.
    case fetchPresence = 764
    /// When in the span between two fetches of its own the device fetches.
    case fetchPhase = 765
    /// Whether a version is pushed.
    case contentPush = 766
    /// How long that push takes.
    case contentPushDelay = 767
    /// How much later than its instant a background fetch begins.
    case fetchDelay = 768
    /// The ways of a background fetch's request and of its answer.
    case fetchDelays = 769
    /// Whether and when an app that is opened publishes content for its widgets, and when it did before the start.
    case publication = 777
    case pastPublication = 778
    /// When the content's versions appear.
    case versionTimes = 770
    /// Which numbers the versions of one content key are drawn with.
    case versionKey = 771
    /// How many random versions fall in a block of time.
    case versionBlock = 772
    /// How many versions of a span of time fall in its first half.
    case versionHalf = 773
    /// Where the few versions of a short span lie in it.
    case versionPlace = 774
    /// Which game of a round a key plays.
    case gameOfRound = 775
    /// When the versions of a game appear.
    case gameVersions = 776

    // The refresh service.

    /// How long the origin's server takes for a request.
    case serviceTime = 780
    /// The ways between edge and origin.
    case originDelays = 781
    /// How long a client waits before its next try.
    case retryDelay = 782
    /// How long a client waits for the answer to a try.
    case patience = 783
    /// After how long a reload that has failed asks again.
    case failureDelay = 784
    /// When a request from outside the fleet comes.
    case backgroundArrival = 785
    /// From which region it comes, and for which content.
    case backgroundRequest = 786
    /// How long the client of a background fetch waits for the answer.
    case fetchPatience = 787
    /// When a device's name resolution turns to another region and back, and whether it ignores the time to live.
    case failover = 788
    /// How a reload of a sample ends whose service answers many more.
    case sampledOutcome = 790
    /// Which of a service's reloads are kept as examples.
    case reloadExample = 791
    /// The draws of a provider of a user's own.
    case ownProvider = 792
    /// The value of a version, or of a walk between two.
    case contentValue = 793
    /// The decision of a server of a user's own about a request.
    case serverAnswer = 794
    /// Its decisions as it is woken or hears of an event.
    case serverTurn = 795
    /// Whether a conditional request finds nothing new, at the origin and at the edge.
    case notModified = 796
    /// How long an edge keeps an object fresh.
    case edgeTimeToLive = 797
    /// The time to the next reload that the origin states with an answer.
    case servedPace = 798

    // Live Activities.

    /// When a person's own events begin.
    case activityStart = 802
    /// How long such an event is.
    case activityLength = 803
    /// When an event's updates come.
    case activityUpdate = 804
    /// Which updates are sent with a high priority.
    case activityPriority = 805
    /// The person's place among all in a server's order of sending, and whether they follow the events of a kind.
    case sendPlace = 806
    /// Whether the push service refuses a push for now, and after how long the server tries again.
    case pushRefusal = 807
    case pushRetry = 808
    /// How long a push is on its way.
    case activityPushDelay = 809
    /// How long a push of low priority waits on a device that is not used.
    case lowPriorityDelay = 810
    /// Whether a person has switched frequent updates off.
    case frequentUpdates = 811
    /// Whether a phone has a Dynamic Island.
    case dynamicIsland = 812
    /// Whether a person who sees an activity removes it.
    case activityDismissal = 813
    /// When a minute of a project's limit begins.
    case projectMinute = 814

    // Surfaces that are opened.

    /// When the person opens the Smart Stack or the tiles of a watch.
    case surfaceOpening = 820
    /// For how long.
    case openingTime = 821
    /// When a workout begins.
    case workoutStart = 822
    /// How long it takes.
    case workoutTime = 823
    /// Whether a person has a car that shows widgets.
    case carOwner = 824
    /// Whether a trip is one in it.
    case drive = 825
    /// Whether its display shows the page of widgets as the trip begins.
    case pageAtFirst = 826
    /// When it shows the page next.
    case pageGap = 827
    /// For how long.
    case pageTime = 828
    /// Whether the person continues to the next tile.
    case furtherTile = 829

    // People for whom those of a sample stand.

    /// How far such a person's reloads are moved.
    case copyPhase = 840
    /// Where they are, and what they have chosen.
    case copyContent = 841
    /// The ways of a try, how long its client waits, and how long it waits before the next one.
    case copyTry = 842

    // Estimates from a run's counts: they change none.

    /// To which half of a fleet a request is counted.
    case halfOfLoad = 890

    // Calibration and studies: no run draws these.

    /// Which people or weeks of a record a resample takes.
    case resampling = 900
    /// Which runs of a study a resample takes.
    case runResampling = 905
    /// In which order a design takes the strata of a factor.
    case designOrder = 910
    /// Where in its stratum a point of a design lies.
    case designPlace = 912
    /// How far a design's points are shifted along a factor.
    case designShift = 914
    /// At which levels a trajectory through a design begins.
    case trajectoryStart = 916
    /// Which factors a trajectory raises and which it lowers.
    case trajectoryDirection = 918
    /// In which order a trajectory takes the factors.
    case trajectoryOrder = 920
}
