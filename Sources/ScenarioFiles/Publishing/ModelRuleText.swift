/// The rules of MODEL.md, word for word. Made by scripts/update-scenario-texts; a test compares them.
enum ModelRuleText {
    static let text = #"""

### T1 Time is an integer
Time counts whole microseconds from the scenario's `start`, for ten years at most. A drawn duration is rounded once, to
the nearest microsecond, and cut only by the rules below and to 10¹⁷ µs.

Evidence: *assumed* whole microseconds (no key: a way of computing).

### T2 Zones are tables
Every device has an IANA time zone, read from Foundation's database into intervals with one offset each, from 400 days
before `start` to 400 days after the end.

Evidence: *says* the rules of zones [IANA]; *assumed* the installed database (no key: it is the machine's).

### T3 The order of one instant
A device's events are ordered by time, then priority, then sequence: 0 answers and time-outs; 1 sleep and wake-up; 2
pickups, locks, app openings, user sessions, power and connection; 3 moves and location reports; 4 environment changes;
5 views; 6 interactions and taps; 7 an app's own calls (those of its opening too), pushes, session rhythms, background
fetches; 8 reloads: new instances and free reloads, policies falling due, gates, dispatches, flights. Several causes of
one instant make one reload, named after the first.

Evidence: *assumed* the order (no key: it matters only for events of one microsecond).

### T4 What is reported
A fact belongs to the report if its instant lies in [warmup, end). Reloads granted or under way, requests on their way,
and tokens are carried in or out at the boundaries. A replay starts cold, a drawn fleet warm:

- Viewing histories follow from habits, those of stacks from sample devices (V3).
- The age of content is even between 0 and one life of a timeline: the waking day over the allowance or, if longer, the
  policy's own `after`, the time to a series' last entry, or a day for `never`. With `gates: none` an `after` counts
  alone.
- An instance that follows the person knows a place if its mode gave access (L4) at a view or reload. The time since
  then is exponential, at the rate of reloads while the app is open (`while_using`) or of views
  (`while_using_or_widgets`), and 0 with `always`; the place follows from how long people are where. Unless its mode is
  `while_using`, an instance on a moving device whose last known place is not home starts with a pending reload (F3).
- An instance without a known place, or with `without_fix: alternate` and no access at its last reload, shows alternate
  content.

Evidence: *assumed* `warmup`, and the past of instances at the start (no key: both follow from the habits).

### T5 The device-day
A day of the budget runs from one wake-up to the next.

Evidence: *says* a window of 24 hours fitted to the daily use, not to midnight [KUTD]; *assumed* a boundary at the
wake-up (no key: use begins there).

### T6 Limits include their last instant
A gap of 5 minutes is over at 5 minutes exactly; a grace of 15 minutes still holds then. A span [from, to) does not hold
its end.

Evidence: *assumed* (no key: it matters by a microsecond).

### D1 A person's number gives everything
Segment, city, habits and devices are draws keyed by seed and person. A person's devices share sleep, trips, what the
person hides, and the first sign-ins. Each has its own pickups, budgets, connection and power, and signs in at its own
first opening of an app. A second device is picked up as often as the first.

- Tablets, watches and Macs have habits of their own (`pickups`); a Mac is used in office hours on workdays or in the
  evening of any day (`desk`).
- A phone's widgets on a Mac (`from_phone`) need a person with a phone. Their accounts, reloads and requests are the
  Mac's. Kinds with complete data protection are refused.

Evidence: *says* that a Mac can show the phone's widgets [W21]; *assumed* `share`, `desk`, `pickups`, `from_phone`.

### D2 Sleep
Each person has a usual onset and wake-up for workdays and for free days, by age group, correlated through normal
scores. Each night is a draw around them, without pickups; its two ends are correlated, and a little of the deviation
carries over. Day sleepers sleep at night on free days. Public holidays are workdays. Nights are cut to 3 to 14 hours,
and the cuts counted; at least an hour between nights is spent awake. Usual times lie within 20 hours of the midnight
before waking.

Evidence: *says* times and spreads of nights [CAL]; *assumed* `day_sleepers`, and the cuts (no key: they keep draws
possible, and are counted).

### D3 Pickups
A session lasts a lognormal time, longer for people who unlock less; there are `glances_per_unlock` glances for each.
The device is in use from its pickup to its lock, at a glance for its instant.

- *Levels.* A person's mean unlocks a day is a draw. Pickups vary by the week (seven factors that keep their mean), the
  day (lognormal, partly carried over), the sixteenth of the waking day (gamma, neighbours correlated, the first
  raised), and the gap from lock to pickup (lognormal, in units of the mean gap). There is no profile by the hour [CAL
  §2].
- *Totals.* Keys state totals of all levels: a variance of counts of μ + μ²/k with a k of the person's own, a
  correlation of two days' counts, a burstiness of gaps. Before a run each level's spread is solved for them. Where a
  combination is impossible, a run states the resulting totals.
- *Quiet days*: a day is quiet if its own number and the next two days' are low; at most .3 of a person's days, and
  seven tenths of what is left of μ²/k.
- *Limits.* Sessions are shortened in proportion where they would fill more than `most_use` of the waking day; no mean
  gap is below `least_gap`, no weekday below a tenth of the segment's.

Evidence: *says* levels and totals of use [CAL]; *assumed* `weekday_spread`, `quiet_days`, `quiet_level`, `day_share`,
`most_use`, `least_gap`.

### D4 App openings
In a session an app comes to the foreground for a drawn time, at most to the lock, with the probability that gives the
person's openings a day. Apps of one session follow one another.

Evidence: *says* openings a day and their peaks [CAL]; *assumed* `hours`, `foreground_time`.

### D5 User sessions
Navigation runs on a share of the person's trips, from departure to arrival. Audio starts in a session and may outlast
it.

Evidence: *says* that there are navigation and audio sessions [W21]; *assumed* `navigation_share`, `audio_per_day`,
`audio_length`.

### D6 Lock
A device with a passcode is locked outside its sessions; a session that is locked at the instant of its pickup was
unlocked for its views. A watch is unlocked while worn and locked off the wrist.

Evidence: *says* that a watch is unlocked while it is worn [W22]; *assumed* `passcode_share`.

### D7 Power
Background refresh that is off and low-power episodes close G5 and refuse apps' background wake-ups and fetches. A Mac
that is not portable is always on power, a share of portable ones whenever in use; these have no low-power episodes.
Background refresh that is off altogether stays off after a recorded span.

Evidence: *assumed* `refresh_off`, `low_power_per_day`, `on_power`.

### D8 Connectivity
Episodes without a connection come at random. A reload or further try that starts offline fails at once, without a
request; the next follows as S3 says. A push that arrives offline waits for the connection, of several to one app only
the last; a recorded push is its arrival. A background fetch due offline is dropped.

Evidence: *assumed* `offline_per_day`, and what fails, waits or is dropped (no key: the network call fails at once).

### D9 Reboots
After a reboot every instance of the device reloads, free, at the next unlock, which a raise of a worn watch is and a
glance is not. Reboots come at random. A release of the system (`os_releases`) reboots the devices that ever install it,
each at an exponential time after it, a share of them by themselves between two and four o'clock the next morning.

Evidence: *says* rates of reboots and of adoption [CAL]; *assumed* a reload of every widget after them, at the unlock,
`reboots_per_day`, `overnight`.

### D10 Replay
A device can follow a recorded CSV instead of draws; `Scenarios/README.md` lists the events. Usual waking hours come
from the scenario, lock-screen and watch-face views from pickups and glances, time changes from the zone's rules. In a
record by `reloadsim people`, `trip_end` moves the device, measured from where the first trip to `home` ends. Initial
content (`initial`) was fetched when its instance came or before.

Evidence: *assumed* (no key: a replay does what its record says).

### V1 Surfaces
An instance is placed on one surface, alone or in a stack, in a family that fits (R1).

Evidence: *says* which surfaces there are [W21, W22].

### V2 Views
A home page or the today view is seen at a session's pickup with a probability, by one draw for all instances there; the
today view also at a share of glances, on a locked screen (R3). The lock screen and the watch face are seen at every
pickup and at looks at the dimmed display (R4), a Mac's notification center at the beginning of a session with a
probability, its desktop at random looks in a session, each a showing of its own. An instance has at most one view a
pickup; further showings, which only replays have, count as repeated, as does a recorded `view` between the lock and the
next pickup.

Evidence: *assumed* `surface_shown`, `today_view_glances`, `notification_center`, `looks_per_hour`.

### V3 Stacks
In a stack, of at most ten widgets of one size, only the top instance is seen. A person who sees it may turn it
(`flips`). When the surface is shown, the system brings up the first of the most relevant widgets, if it is more
relevant than the top one and its `relevance` is above 0; at most `rotations_per_day` times a device-day. A placeholder
has the base relevance alone.

Evidence: *says* that relevance turns stacks, and that none of 0 or less does [RLV]; *assumed* `flips`,
`rotations_per_day`, `relevance`.

### V4 Watch faces and standby
Raises of the wrist, the watch's pickups and glances, are the views of a complication on the active face. It counts as
viewed often (B2) and never as rarely viewed (F5). A watch off the wrist (`wear`) shows nothing. A look in `standby`
shows the standby widgets, dimmed, and is no use of the device.

Evidence: *says* that wrist raises show the face [W22]; *assumed* `wear`, `standby`.

### V5 Interaction
At a view in a session the person may use a button of the widget, or tap it, which opens its app. The app opens at
priority 6 and calls at priority 7 (F1, P8), once for taps of one instant. It stays as long as at the person's own
openings, at most to the lock, and replaces another app in the foreground, as the next opening by habit replaces it;
openings by habit are unchanged. A recorded `tap` counts only in a session; its app stays until it is closed, another
opens or the device is locked.

Evidence: *says* that widgets have buttons [W23] and that a tap opens the app [W22]; *assumed* `interactions_per_view`,
`taps_per_view`.

### V6 What a view measures
A view measures the screen at its first instant. It is *healed* if a reload answers at or before the lock; after a
glance, at the glance's own instant only.

Evidence: *assumed* (no key: a measure of ours).

### P1 A timeline
A timeline has the time of its fetch (the instant of the final answer), entry dates and a policy, which count from the
fetch. An entry shows from its date to the next one's, the last until it is replaced.

Evidence: *says* [W21].

### P2 Shapes
A provider returns a single entry (valid for ever), a series (the last entry valid for one spacing), entries to the end
of the local day (the last valid to midnight), or one self-updating entry, good until a given end. A kind may set the
last entry's validity itself. Entries closer than 5 minutes are accepted, with a warning of `validate`.

Evidence: *says* [W21, W22]; *says* that entries are to be at least five minutes apart [KUTD].

### P3 `at_end`
The reload is due on the last entry's date, when it becomes relevant.

Evidence: *says* [W21].

### P4 `at_end` with one entry
The reload is due after the time in which one token accrues at the allowance in force at the fetch, computed once, at
least `min_gap`.

Evidence: *says* that the system picks the time [W21]; *assumed* the time of a token, at least `min_gap`.

### P5 `after`
The reload is due from a date: a time after the fetch, or the next of some clock times in the device's zone or a fixed
one, on given weekdays or an exchange's trading days (C1), plus `jitter`; a date before now is cut to now. An aligned
date is the first listed time after both the fetch and the one served last. A clock time skipped by a change of the
clocks is read with the offset before it; one that comes twice counts the first time.

Evidence: *says* `after` a date [W21]; *assumed* `jitter`, which is the provider's own.

### P6 `never`
Only other causes reload the instance.

Evidence: *says* [W21].

### P7 Due is not run
A due background reload waits for the gates of section 6.

Evidence: *says* that a date is the earliest one [W21].

### P8 Placeholders
A provider whose condition is unmet, such as a person not signed in, returns a placeholder and `never`, without a
request, until an opening of the app meets the condition and reloads it, free. Nobody signs out.

Evidence: *says* [W21]; *assumed* `signed_in`.

### B1 Accounts
Every instance has an account of its own. A background reload costs one token, charged when all gates are open: the
*grant*. A failed reload is not refunded.

Evidence: *says* that each widget has a budget [KUTD]; *assumed* one token a reload, and no refund (no key: nothing
published suggests another).

### B2 Allowance
The daily allowance is A(v) = `a_min` + (`a_max` − `a_min`) · v / (v + `v_half`), with v the mean views of the latest
`window_days` complete device-days: 25 to 200 views a day give the documented 40 to 70 reloads. An opening of the app
counts as `app_use_weight` views for each of its instances on the device, whole ones at the day's end, the rest on the
next day. Allowance and cap are rounded down to a microtoken and change only at a wake-up. A complication on the watch
face has `watch_allowance`.

Evidence: *says* 40 to 70 a day for one that is viewed often [W21, KUTD], and that views and the app's use matter
[KUTD]; *says* up to 75 on a watch face [CCA]; *assumed* `a_min`, `a_max`, `v_half`, `window_days`, `app_use_weight`.

### B3 Learning
Until `learning_days` device-days are complete the allowance is `learning_allowance`. Instances of the start have learnt
(T4); those added during a run learn.

Evidence: *may* reload more than normal while it learns [KUTD]; *assumed* `learning_days`, `learning_allowance`.

### B4 Accrual
The allowance accrues in the person's usual waking hours, evenly or by the usual views of each hour (`accrual`): those
that a replay's device states, or in a drawn fleet even ones, except for the first sixteenth (D3).

Evidence: *says* that the budget is allocated through the day [W21]; *assumed* the usual waking hours (no key: the
window follows use), `accrual`.

### B5 Cap
The balance is at most max(3, `burst_share` · A). Any excess is lost at once and counted as expired. An account opens
with half its cap.

Evidence: *assumed* `burst_share`, and half a cap at first (no key: it is gone after hours).

### B6 Exactness
The rate is the allowance over the elapsed length of the usual waking window that starts on the local date, changes of
the clocks included. A zone crossing pays nothing back. A token is there at the first whole microsecond with a balance
of at least one. Opening + accrued = spent + expired + balance, exactly ([how](ARCHITECTURE.md#the-exact-budget)).

Evidence: *assumed* (no key: a way of computing).

### B7 Pushes
A pushed reload is a background reload of every push-enabled instance of the app, charged to the instance's account or
to a pool of its own with the same rules (`push_budget`, `push_allowance`). The account of the earliest cause pays a
merged reload, so a push at an empty pool holds the causes that merge into it. Pushes on their way, eight at most,
arrive in the order of their delays; a further one is dropped.

- They come from campaigns to the whole fleet (`pushes`), from servers that push their new versions (`push_on_version`;
  one push a version for instances of one kind and content), and from apps that wake up by themselves
  (`wake_ups_per_day`).
- *Silent pushes* go to the app, which calls for the reload in the background. They pass a token bucket for each app and
  device. Of several that wait for one app, for a token or a connection, the newest is kept, and comes before others of
  its instant.

Evidence: *says* that pushes reload widgets under a budget [PUSH]; *says* two or three silent pushes an hour [BPN];
*assumed* `push_budget`, `push_allowance`, `silent_push_limit`, `silent_push_burst`, `silent_push_excess`.

### B8 Background fetches
An app's own background fetch (`background_fetch`) is no reload: it charges nothing and passes no gate. A fetch begins a
drawn `spread` after its instant, never before the previous one. Background refresh off, low power (D7) and a missing
connection (D8) leave no request. Its requests are sent together, ask for content of the person's own, and are given up
after the client's `timeout`, without a further try.

Evidence: *assumed* `background_fetch`.

### G1 Budget
Open if the balance is at least one token.

Evidence: *says* [KUTD].

### G2 Gap
Open from `min_gap` after the instance's last background reload ran; free reloads do not count.

Evidence: *says* that there is a least time [KUTD]; *assumed* `min_gap`.

### G3 Idle
Open while the device is in use and for `idle_after` afterwards. Before its first use a device is idle. A closed gate
opens at the next pickup.

Evidence: *says* that reloads are withheld while a device is not used, as in sleep [W21]; *assumed* `idle_after`.

### G4 Protection
A kind with complete data protection is not reloaded while the device is passcode-locked. Free reloads wait at this gate
alone; a reload granted before the lock still runs (G6).

Evidence: *says* [W21].

### G5 Power
Open while background refresh is on and power is not low (D7).

Evidence: *assumed* `refresh_off`, `low_power_per_day`.

### G6 Dispatch
A granted reload runs after a delay of the system (`dispatch_delay`); its gates are not checked again then.

Evidence: *assumed* `dispatch_delay`.

### G7 Coalescing
When a charged reload runs, the device's other granted reloads run with it if G2 to G5 are open for them, as do those
due within `coalesce_within` if all their gates are open, each charged to its own account; those bring no more. A reload
for an aligned date is never brought forward, even while only its jitter is left, and a back-off (S3) is never cut
short.

Evidence: *says* that reloads are coalesced [KUTD]; *assumed* `coalesce_within`.

### G8 One reload at a time
An instance has at most one pending reload. Pending causes that run together become one reload; each further one counts
as merged.

- A background cause merges into a pending reload.
- A free cause, as it arises, takes a waiting reload with it, which counts as merged, or a granted one, which ends as
  `taken` and keeps its token spent.
- A cause in a flight merges into the flight, except an interaction, a location change or an environment change later
  than the first request, which runs when the flight ends.

A free reload is then the pending one, also while the lock holds it (G4). For a change (F3, F4) its own instant counts,
not that of the pickup or view that serves it, and of several pending changes the latest decides.

Evidence: *assumed* one pending reload an instance (no key: the interface has no second one).

### G9 What a reload leaves
A new timeline replaces the old one and its policy. A failed reload leaves the content and sets the policy of S3.

Evidence: *says* that a new timeline replaces the old one [W21]; *assumed* `failure_after`.

### F1 Calls from the foreground
An app's calls in the foreground (`reload_on_open`, `reload_on_close`) are free. A reload of its widgets for any cause
that is granted while the app is in the foreground, from its opening up to but not including its closing, or has an
audio or navigation session, passes its gates (G1 too) and is delayed (G6) as ever but costs no token; with
`session_reloads: calls_only` it does. Content of no place misses no version at an opening (C5). After a call that went
through, the last of an instance's further calls within `foreground_gap` goes through at its end, wherever the app is by
then; the others count as merged.

Evidence: *says* [W21, KUTD]; *may* throttle frequent calls [W26]; *assumed* `session_reloads`, which reading holds,
`foreground_gap`, `free_delay`, `reload_on_open`, `reload_on_close`.

### F2 Calls in a user session
Calls in a navigation or audio session are free too, at the app's own rhythm: the first one rhythm after the start, none
at the end. Navigation and audio of one app share its rhythm, from the first's start to the last's end.

Evidence: *says* [W21]; *assumed* `session_rhythm`, which is the app's own.

### F3 After a location change
After a significant change, instances that follow the person reload at their next view with access to the location (L4),
once a change, in all modes but `denied`. A reload that found its place after the change has served it.

Evidence: *says* at the next view after a significant change [W21]; *assumed* no reload at a view without access (no
key: it could find no place).

### F4 Environment changes
Every instance reloads, free, after a change of language, region, accessibility, text size or account (at rates a year,
in a session), a zone crossing (on arrival in a city of another zone, L1), a change of the clocks (`dst_events`, by
default), a local midnight (`midnight`, not by default) and a reboot (D9): at once if the device is in use, otherwise at
the next pickup, after a reboot at the next unlock. The change reaches a device's instances one after another, each
later than the first by a draw of `environment_spread`; its reload follows after `free_delay`.

Evidence: *may* refresh at changes of the environment and of the time [W21, KUTD, SIG]; *assumed* `dst_events`,
`midnight`, `environment_spread`, `free_delay`, and the next pickup where the device is not in use (no key: nobody sees
the difference).

### F5 Stale on view
A view may grant a free reload if the instance is seen fewer than `rarely_viewed` times a day and either its timeline is
used up or the date that it prefers passed more than `stale_grace` ago; `rare_reload_share` of such views do. `never`
prefers no date; the date of a failure's back-off counts, also where a placeholder shows.

Evidence: *may* reload one that is seldom seen and stale [W21]; *assumed* `rarely_viewed`, `stale_grace`,
`rare_reload_share`.

### F6 Interaction
When a button's action returns, the instance reloads, free and for certain.

Evidence: *says* [W23]; *assumed* `interaction_delay`.

### F7 First timeline
A new instance fetches its first timeline. In a drawn fleet instances are added during the run at `added_per_day`. First
the extension may make `snapshot_requests` for a preview, with the timeline's key and cause but no reload and no further
try; not without a connection or while the condition of P8 is unmet.

Evidence: *says* that a new widget asks for its timeline [W21]; *assumed* `added_per_day`, `snapshot_requests`.

### F8 Reconfiguration
An instance that a person edits, in a session and to another choice (`edits_per_year`), reloads with its new key, free
and by itself. An edit during a flight runs when that ends, unless the flight's first request comes later. Replays have
no event for it.

Evidence: *says* [W21]; *assumed* `edits_per_year`.

### L1 Movement
People live in one of some four hundred real cities, by shares of cities or of zones; home lies in the city's disc,
denser in the middle.

- Commuters leave on workdays at a clock time of their own, or when ready after a late wake-up. A day's outings are
  planned at the wake-up and begin evenly over the rest of the day, after any commute; the person is home at bedtime
  where possible.
- Places are explored and returned to by rank [CAL §4]. Trips go straight; their speed grows with the root of the
  distance, and is low at both ends. Where published totals and parts disagree, the totals of trips and changes win.
- A travel begins on a waking day and leads to another city of the scenario, by population over distance, by road up to
  300 km and else by air; in transit the device reports nothing. The person keeps their hours on the new clock. A person
  in a zone without a listed city does not travel.
- A Mac that is not portable stays at home or, if a commuter uses it in the office, at work, and is unused on days that
  begin while its person is in another city or in transit; its content is for where it stands. A portable Mac goes with
  its person, but nobody navigates on it.

Evidence: *says* totals of trips, stays and returns [CAL]; *assumed* `movement`.

### L2 Significant changes
A change is reported at the first instant at which the device is at least 500 m from the last reported place and at
least 5 minutes after that report, 15 with precise location off. The first place counts as reported at the start of the
run.

Evidence: *assumed* 500 m and 5 minutes for widgets too (no key: what the app's own interface suggests [SLC]), and 15
minutes with precise location off (no key: as its documentation suggests).

### L3 Permission
A person's mode for an app is `denied`, `while_using`, `while_using_or_widgets` or `always`. A change decides L4 from
its session's pickup on; with `permission_change_reload: reload` it is one of the environment (F4). A pending reload for
a change of place lapses when the app becomes `denied`. Measures count under the mode in force; an instance counts once,
in its mode when the report begins or when it is added. In a replay an instance keeps its mode.

Evidence: *says* the modes [W21, LOC]; *assumed* `location_modes`, `location_changes_per_year`,
`permission_change_reload`.

### L4 Access
When a reload starts, a location is available by mode: never; while the app is in the foreground or navigates; then or
up to 15 minutes after a widget of the app was last viewed on the device, the view that asks included; or always.

Evidence: *says* up to 15 minutes (`widget_location_grace`) after the widget was viewed [W21, LOC]; *assumed* any widget
of the app (no key: the permission is the app's).

### L5 Fix
A fix takes time and can fail; the reload waits for it. `accuracy` sets the distribution of the time, the coarser the
faster, unless `fix_time` states one.

Evidence: *says* that a coarser fix is faster [W21]; *assumed* `accuracy`, `fix_time`, `fix_failure`.

### L6 Without a fix
The kind shows content of the last known place, or alternate content of no place; with no known place, alternate
content. With `without_place: none` a reload for alternate content sends no request and ends at once; it is charged by
its cause and follows its policy. With `request` it asks for its app's default place.

Evidence: *says* the last known place, or other content [W21]; *assumed* `without_fix`, `without_place`, which are the
provider's own.

### L7 Chosen places
An instance set to a chosen place never asks for a location.

Evidence: *says* [W21].

### L8 Cells
Content belongs to a cell of `content_cell`, in a replay to a named place. A view shows the wrong place if its content's
cell is not the person's.

Evidence: *assumed* `content_cell`.

### R1 Families
The families of each surface; other combinations are refused.

- Home pages and the today view, not on Macs: small, medium, large; extra large on tablets.
- Notification center and desktop, on Macs only: small, medium, large, extra large.
- Lock screen: circular, rectangular, inline; small on tablets. Watch face: circular, rectangular, inline, corner.
- Standby of phones: small.

Evidence: *says* [W21, W22].

### R2 Rendering modes
Vibrant on the lock screen; accented on tinted watch faces, and on tinted or clear home pages, today views and desktops;
full colour elsewhere. Views are counted by mode. A switch between light and dark redraws without a reload; redraws are
counted.

Evidence: *says* [W21, W22]; *assumed* `accented`, `appearance`.

### R3 Privacy on the lock screen
Content shows on a locked device unless its person has chosen to hide it. Then a kind that marks views as sensitive
(`sensitive`) has those redacted, any other the whole widget; both count as *redacted*. Content with complete data
protection shows its placeholder while locked. Locked views are glances, looks, and recorded views outside sessions.

Evidence: *says* [W21, W22]; *assumed* `hide_lock_screen`.

### R4 Always-on display
An always-on display shows its widgets in low luminance between pickups, redacted as in R3 if the person has chosen
that, locked or not. Content that is locked and dimmed is redacted if either choice says so.

- *Looks* without waking it are views of the lock screen or the watch face, and no use of the device; one that would
  fall into a session is left out. A display looked at without a pickup has been dimmed since its latest use.
- On a dimmed display a timeline's next entry appears at the next whole multiple of `dimmed_cadence`. A view of the
  entry before is counted (`late_entries`), and C4 takes its lead. A new timeline replaces the old one at once, and the
  last entry's validity ends as without dimming (C3).
- A Mac's desktop dims while windows cover it, with nothing hidden. Each change seen at a look counts as a rendering of
  its instances, without a reload.

Evidence: *says* low luminance and fewer updates [W22]; *assumed* `always_on`, `dimmed_cadence`, `hide_always_on`,
`covered`.

### R5 Configured kinds
A configured kind has an instance for each choice, such as a symbol or a city, drawn by `popularity`, with its own
timeline, budget and requests. An app's bundle lists its kinds in the gallery's order; each device with any of it has a
drawn number of instances, each with its own kind, size and choice.

Evidence: *says* [W21, W22]; *assumed* `popularity` (sweep Zipf's power from 0 to 1.5), `bundles`.

### R6 Entries
The entries of fetched timelines are counted: a self-updating entry costs one, the same display as a series many.

Evidence: *says* that entries cost memory [W22].

### C1 Versions
An origin publishes versions at times that are a pure function of source (`versions`) and key (place or symbol), known
from 31 days before `start`.

- `manual`: the content changes by the time the app is closed. The device's instances miss that until they reload; an
  app whose `reload_on_open` is not `never` calls for it just before it leaves the foreground.
- `empty_before`: an answer that the origin makes before a date's list, for the date of the device's clock as the answer
  comes, says that there is none, and views are *empty* (C5) until another answer comes. Dates without a list are never
  empty.
- `market`: opening and close of each session are included; auctions and trading after hours count as closed. Holidays
  by rule are computed for 2022 (Sydney 2023) to 2035, by today's rules; decreed ones are published tables: Tokyo from
  November 2024, Hong Kong and Shanghai from 2024, to 2026. A run, or the month before it, outside these dates is
  refused.
- `games` have no versions between them.

Evidence: *assumed* `versions`, which is the provider's own; *says* hours and holidays of exchanges [EXC].

### C2 Age
The age at a view counts from the instant at which the origin made the answer.

Evidence: *assumed* (no key: a measure of ours).

### C3 Missed versions and staleness
A view misses the versions published since the one shown. It is stale if it misses any, or if the last entry's validity
is over. Its *lag* is the time since its first missed version appeared, or zero. The stale share of waking time counts
from the first timeline. A reload with content of the same key and no newer version has brought nothing new.

Evidence: *assumed* (no key: a measure of ours).

### C4 Accuracy of forecasts
The expected error of a forecast is e₁·leadᵞ: e₁ is the mean absolute error at one hour, in the content's own unit, the
lead in hours. The lead runs from the origin's answer to the entry's own date if another entry follows, otherwise to the
view. The mean error is over views that are fresh, stale or of the wrong place. The error of showing another place is
not modelled.

Evidence: *assumed* `forecast`.

### C5 States of a view
A view is the first that holds of: placeholder, redacted, alternate, empty, wrong place, stale, fresh. *Empty* is the
answer that there is nothing for the date yet (C1). The counts add up exactly to the views.

Evidence: *assumed* (no key: a measure of ours).

### S1 Requests
A reload makes `requests_per_reload` requests to its kind's endpoint, none for content of no place (L6), keyed by its
content: the place or symbol, nothing, or, with `content_key: user`, the person. All requests of one try are sent
together; the try ends as its worst request does, and its content is that of the last answer. The load is counted by
endpoint, region and cause; further tries (S3) are a cause of their own, beside that of their reload, and requests that
are no reload's (B8, S4) have one each.

Evidence: *assumed* `requests_per_reload`, `content_key`, `without_place`.

### S2 Cache and origin
With `service.pools` requests meet a refresh service; without, every request reaches an origin that answers at once.
Each request ends once, for its client: served, refused with an error, or timed out; the others are in flight.

- *Edge.* Each region has one. By an endpoint's `cache` it keeps one object a content key and region, fresh for `ttl`
  from its arrival, the last instant included, but never content of a person's own. `edge_capacity` makes room of the
  object least recently asked for, fresh or expired; what is being fetched takes none yet. Content older than before is
  shown as it comes.
- *Pool.* A request is admitted by a token bucket (`rate_limit`: in any span of τ at most burst + rate·τ), then takes a
  free server or waits in the order of arrival if the `queue` has room; otherwise it is shed with an error. The origin
  makes the answer at the end of the drawn service time. The wait ends as the client gives up (`queue_s`), but its room
  is taken until its turn (`queue_slot_s`).

Evidence: *says* stale objects [RFC 5861]; *assumed* `pools`, which are the service's own, `edge_capacity`.

### S3 Failure and retry
A client gives a try up after `timeout` (an answer at that instant is in time; draws are cut to between a millisecond
and an hour); with `abandon: in_queue` only until it hears, after the delays back from the origin, that it is being
served. It tries again inside the reload up to `retries` times. Delays (`retry_delays` or `back_off`) count from the
failure. A `retry_budget` is a device's own; an empty one ends the reload. After the final failure the client keeps its
old content with a policy of `failure_after`, at least a second.

Evidence: *says* forms of back-off [Brooker] and budgets of retries [SRE]; *assumed* `retries`, `back_off`, `timeout`,
`abandon`, `failure_after`.

### S4 Outages, brown-outs, deploys, scaling, other clients
- *Events.* What waits or is in service as an `outage` begins fails too; the spans of `failing` are outages of every
  pool. In a `brown_out` requests in service continue as they began.
- *Autoscaling* is that of Kubernetes, with a tolerance, a limit to growth and a window before taking away. Starting
  servers count as idle until their first request after a `lag`. The servers wanted are cut at 10¹⁵.
- *`background` requests* from outside the fleet are a Poisson process. They pass edge and pool as any request, before
  the fleet's at an equal instant, and have a patience, no network delay and no further tries. They are counted apart.

Evidence: *says* the autoscaler [Kubernetes]; *assumed* `events`, `background`.

### S5 Feedback
Fleet and service advance in synchronization windows no longer than the least delay between device and edge, so a
request's outcome follows from all before it. Each stage serves in the order of arrival, ties by person, device and
request. Every network delay has a fixed least part of a millisecond at least, and a drawn one. With a service, one more
person may change the measures of others.

Evidence: *assumed* (no key: a way of computing).

### S6 Two legs
A request has a leg out and a leg back, each its own draw. A service with unlimited servers, no service time and no
cache gives the same tables as no service.

Evidence: *assumed* `latency_out`, `latency_back`.
"""#
}
