import Basics
import WidgetPlatform

// The words in which a provider of one's own is written. They are those of the simulation itself.

/// A point of simulated time, in whole microseconds since the scenario's `start`; before it they are negative.
/// `Instant.never` stands for not at all.
public typealias Instant = Basics.Instant

/// A length of simulated time in whole microseconds, as `.minutes(15)`. It hides the standard library's type of that
/// name.
public typealias Duration = Basics.Duration

/// A date of a local calendar, with its `weekday` from 0 for Monday to 6.
public typealias CivilDate = Basics.CivilDate

/// A time of day on a local clock, as `ClockTime(hour: 9, minute: 30)`.
public typealias ClockTime = Basics.ClockTime

/// The date and time that a local clock and calendar show at an instant.
public typealias LocalTime = Basics.LocalTime

/// Clock times and days of the week on the device's own clock, as
/// `ClockSchedule(times: [ClockTime(hour: 9, minute: 30)], weekdays: ClockSchedule.workdays)`.
public typealias ClockSchedule = AlignedSchedule

/// The size of a widget: `systemSmall` to `systemExtraLarge`, and those of lock screens and watches.
public typealias WidgetFamily = WidgetPlatform.WidgetFamily

/// A widget's provider in a type of one's own, which a scenario names: `policy: {provider: NAME, with: {…}}`.
public typealias WidgetProvider = WidgetPlatform.WidgetProvider

/// All that a provider can know as it is asked.
public typealias ProviderContext = WidgetPlatform.ProviderContext

/// A provider's answer: entries, and when it asks to be replaced.
public typealias ProviderTimeline = WidgetPlatform.ProviderTimeline

/// How long the timelines of a provider usually live: the age of what devices show as a run begins follows it.
public typealias UsualLife = WidgetPlatform.UsualLife

/// The memory of a provider that remembers nothing of an instance.
public typealias NoMemory = WidgetPlatform.NoMemory

/// The parameters that a scenario states under `with` for code of one's own.
public typealias UserParameters = Basics.UserParameters
