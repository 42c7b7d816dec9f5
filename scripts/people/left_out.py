"""Each data set left out in turn: what the defaults would be without it, and how many of its figures they show.

Every key that was fitted to the set is fitted again to the sets that remain. A key of which no other set says anything loses its effect: all people,
days or hours alike, nobody on the way. So the figures fall into two groups. For some another set says something, and they test the model on people who
were not fitted. For the others nothing is left, and they only say what the set was for.
"""
import collections

# Usual times of the ages of students, as the catalogue has them from NHANES; the record's students are of 18 to 22 years.
STUDENT_AGES = """
    ages:
      - {age: 16-19, share: 0.4, day_sleepers: 0.01, workday: {onset: "23:04", wake: "07:10", onset_sd: 1h31m, wake_sd: 1h52m},
         free_day: {onset: "00:28", wake: "09:49", onset_sd: 1h46m, wake_sd: 1h57m}}
      - {age: 20-24, share: 0.6, day_sleepers: 0.04, workday: {onset: "23:21", wake: "07:25", onset_sd: 1h44m, wake_sd: 2h2m},
         free_day: {onset: "00:30", wake: "09:12", onset_sd: 1h57m, wake_sd: 1h55m}}"""

# The hour's factor, a gamma of k 1.5 whose neighbours correlate by 0.28, makes a variance of 0.0713 of a day's mean level: a k of 14. Assumption: it is
# from the event-level records, since GLOBEM's sample has parts of days only.
WITHOUT_STUDENTS = f"""  sleep:{STUDENT_AGES}
    nights: {{onset_sd: 0s, wake_sd: 0s, onset_wake: 0, carry_over: 0}}
  pickups:
    unlocks_per_day: 80
    daily_k: 14
    day_share: 0
    day_correlation: 0
    weekday_factors: [1, 1, 1, 1, 1, 1, 1]
    weekday_spread: 0
    quiet_days: 0
    session_spread: 0
    session_correlation: 0"""

WITHOUT_GPS = """  movement:
    outings: {per_day: 0, per_commute_day: 0, person_sigma: 0, day_sigma: 0, onward_share: 0}
    places: {return_exponent: 1.2}
    trips: {slow_time: 0s, slow_share: 0}"""

WITHOUT_COMMUTES = """  movement:
    commute: {departure: "00:00", departure_sd: 0s, most_delay: 24h, time: {median: 16m18s, sigma: 0.79, clip: [1m, 3h]}}"""


def clock(hours):
    minutes = round(hours * 60)
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def without_survey(targets):
    """Adults who sleep as the students did; the record's means are over all nights of a week."""
    onset, wake = float(targets["fitbit_onset_mean"]["value"]), float(targets["fitbit_wake_mean"]["value"])
    later = float(targets["fitbit_we_onset_shift"]["value"]), float(targets["fitbit_we_wake_shift"]["value"])
    work = onset - later[0] * 2 / 7, wake - later[1] * 2 / 7
    free = work[0] + later[0], work[1] + later[1]
    spread = "onset_sd: 1h44m, wake_sd: 1h32m"
    return f"""  sleep:
    workday: {{onset: "{clock(work[0])}", wake: "{clock(work[1])}", {spread}}}
    free_day: {{onset: "{clock(free[0])}", wake: "{clock(free[1])}", {spread}}}
    day_sleepers: 0
    degrees: 1000
    correlations: {{onset_wake: 0.86, onset: 0.89, wake: 0.79}}"""


def without_events(seconds):
    """People whose sessions all last as long as their mean one; `seconds` is the typical person's."""
    return f"""  pickups:
    session_length: {{median: {seconds:.0f}s, sigma: 0.57, clip: [1s, 4h]}}
    session_spread: 0.57
    glances_per_unlock: 1.17
    burstiness: 0.1
    first_sixteenth: 1
    hour_correlation: 0"""


def without_level(targets):
    mean = float(targets["unlocks_per_day_user_mean_mean"]["value"])
    return f"  pickups: {{unlocks_per_day: {{shape: 3.1, mean: {mean:.1f}, clip: [8, 300]}}}}"


# `part` is where the set's figures stand; `has` says which of them are the set's, `known` those of which another set says something.
LeftOut = collections.namedtuple("LeftOut", "name part has known refit")

SETS = [
    LeftOut(
        "GLOBEM's students, telephones and wrists", "students", lambda figure: True,
        lambda figure: not figure.startswith(("lag1_", "weekend_weekday", "fitbit_onset_sd", "fitbit_wake_sd", "fitbit_dur_sd", "fitbit_ac1")),
        "Students are people of 16 to 24 years: usual times of sleep from NHANES, 80 unlocks a day from Apple for everybody, sessions, gaps, glances and the course"
        " of the day from the event-level records, whose factor of the hour (it is assumed to be theirs) makes a `daily_k` of 14. Nothing else says how days"
        " follow each other, how weekdays differ, how people differ in their use, or how a person's nights differ: no such variation."),
    LeftOut(
        "NHANES", "sleep of adults", lambda figure: True, lambda figure: True,
        "Adults of all ages sleep as GLOBEM's students: means and weekend shifts of its bracelets, their spread over people, and the correlations that the"
        " widths of those intervals give."),
    LeftOut(
        "Event-level records of five Android users", "use by adults", lambda figure: not figure.startswith(("unlocks a day", "k of a person")),
        lambda figure: figure.startswith(("glances", "correlation of log session")),
        "GLOBEM has a person's mean session only: all of a person's last as long, with the spread over people that is fitted to GLOBEM, and a median with which"
        " students have the recorded mean session. 1.17 glances for each unlock from Hintze (54 % of interactions are without one). Gaps, and the hours"
        " awake, as if at random."),
    LeftOut(
        "Apple", "use by adults", lambda figure: figure.startswith("unlocks a day"), lambda figure: True,
        "Adults unlock as often as GLOBEM's students: 114.8 times a day."),
    LeftOut(
        "GPS records", "movement of adults", lambda figure: not figure.startswith("share of commuters"),
        lambda figure: figure.startswith(("trip length", "changes for each", "changes of a trip")),
        "Only commutes are left, as the American Community Survey has them; nobody goes out. Trips keep their assumed speed, without slow ends."),
    LeftOut(
        "American Community Survey", "movement of adults", lambda figure: figure.startswith("share of commuters"), lambda figure: True,
        "Commuters leave when they are ready, half an hour after NHANES's wake-up, and are under way for as long as the GPS records' trips."),
]
