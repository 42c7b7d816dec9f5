// The subset of reloadsim's rules that README.md states, for any kernel in C++ that calls a phone back at a time.
//
// A phone has at most two calls ahead of it: one for its person, one for its widget. The rules in brackets are those of
// MODEL.md. Time is in nanoseconds from the start of the run, a midnight. Random numbers are this model's own.
//
// A kernel has `Time now() const` and `template <auto step, class Phone> void call(Phone&, Time)`, which does
// `(phone.*step)()` at that time.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace subset {

using Time = std::int64_t;
constexpr Time second = 1'000'000'000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;
constexpr Time never = std::numeric_limits<Time>::max(), longAgo = -1000 * day;
constexpr double inSeconds(Time time) { return double(time) / second; }

// The numbers of subset.yaml.
constexpr Time wakeUpTime = 7 * hour, bedtime = 23 * hour, waking = bedtime - wakeUpTime;
constexpr int unlocksPerDay = 80, windowDays = 7;
constexpr Time session = minute, asked = 15 * minute, minGap = 5 * minute, idleAfter = 2 * hour, latency = second / 10;
constexpr Time versionsEvery = hour;
constexpr double shown = 0.6;  // the probability that a session shows the widget
constexpr double dispatchMedian = 10, dispatchP95 = 60;
constexpr double aMin = 6, aMax = 75, vHalf = 24, burstShare = 0.1, leastCap = 3;
constexpr double meanGap = double(waking) / unlocksPerDay - session;
// A balance is a sum of floating-point numbers: when it is to hold a token it can fall short by its rounding.
constexpr double rounding = 1e-9;

// Counts over all phones; ages and waits in seconds.
struct Counts {
  std::uint64_t sessions = 0, freshViews = 0, staleViews = 0, missedVersions = 0, granted = 0, requests = 0;
  std::uint64_t waits = 0, budgetWaits = 0, idleWaits = 0, gapWaits = 0;
  double age = 0, wait = 0, accrued = 0, expired = 0;
};

// Shared by all phones of a run.
struct Run {
  std::uint64_t seed;
  double gapSigma;  // of the logarithm of gaps
  Counts warmup, report;
  Counts* counts = &warmup;  // those of the present
};

// PCG RXS-M-XS 64/64 (O'Neill 2014): a generator of one word, so that each phone has its own.
class Generator {
 public:
  using result_type = std::uint64_t;
  Generator(std::uint64_t seed, std::uint64_t phone) : state(mixed(mixed(seed) + phone)) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() {
    const auto old = state;
    state = old * 6364136223846793005u + 1442695040888963407u;
    const auto word = ((old >> ((old >> 59) + 5)) ^ old) * 12605985483714917081u;
    return (word >> 43) ^ word;
  }
  double uniform() { return double(operator()() >> 11) * 0x1p-53; }

 private:
  // SplitMix64, so that neighbouring seeds and phones begin far apart.
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t state;
};

// A bucket of tokens that fills over the waking day (B1, B4, B5); it is brought up to date when somebody looks at it.
class Budget {
 public:
  explicit Budget(double allowance) {
    set(allowance);
    tokens = cap / 2;
  }

  void settle(Time now, Counts& counts) {
    const Time days = now / day, usual = days * waking + std::clamp<Time>(now - days * day - wakeUpTime, 0, waking);
    const double accrued = rate * double(usual - settled);
    settled = usual;
    tokens += accrued;
    counts.accrued += accrued;
    limit(counts);
  }

  // A new allowance at a wake-up; what lies above the new cap is lost (B2, B5).
  void change(double allowance, Time now, Counts& counts) {
    settle(now, counts);
    set(allowance);
    limit(counts);
  }

  bool hasToken() const { return tokens >= 1 - rounding; }  // of a settled budget (G1)
  void spend() { tokens -= 1; }
  double balance() const { return tokens; }

  // When a token will be there (B6); never, if not on this waking day.
  Time tokenAt(Time now) const {
    const Time midnight = now / day * day;
    const double at = double(std::max(now, midnight + wakeUpTime)) + std::ceil((1 - tokens) / rate);
    return at < double(midnight + bedtime) ? Time(at) : never;
  }

 private:
  void set(double allowance) {
    rate = allowance / double(waking);
    cap = std::max(leastCap, burstShare * allowance);
  }

  void limit(Counts& counts) {
    if (tokens <= cap) return;
    counts.expired += tokens - cap;
    tokens = cap;
  }

  double tokens, rate, cap;
  Time settled = 0;  // in usual waking time since the start
};

// A phone with one widget on its first home page.
template <class Kernel>
class Phone {
 public:
  // It starts with the views that are expected of it, and with content of a drawn age (T4).
  Phone(Kernel& kernel, Run& run, std::uint64_t number)
      : kernel(kernel), run(run), random(run.seed, number), budget(drawHistory()) {
    madeAt = -Time(random.uniform() * std::max(double(asked), double(waking) / allowance()));
    kernel.template call<&Phone::wakeUp>(*this, wakeUpTime);
    kernel.template call<&Phone::due>(*this, std::max<Time>(0, madeAt + asked));
  }

  void settle(Time now) { budget.settle(now, *run.counts); }
  double balance() const { return budget.balance(); }

 private:
  double drawHistory() {
    for (auto& views : history) views = int(shown * unlocksPerDay + random.uniform());
    return allowance();
  }

  // The daily allowance by the mean views of the last device-days (B2).
  double allowance() const {
    int sum = 0;
    for (const int views : history) sum += views;
    const double views = double(sum) / windowDays;
    return aMin + (aMax - aMin) * views / (views + vHalf);
  }

  // The person (D2, D3, V2).

  // A device-day is complete, and the allowance follows its views (T5, B2).
  void wakeUp() {
    const Time now = kernel.now();
    if (viewsToday >= 0) {
      history[oldest] = viewsToday;
      oldest = (oldest + 1) % windowDays;
    }
    viewsToday = 0;
    asleepAt = now + waking;
    budget.change(allowance(), now, *run.counts);
    // The wake-up falls into a gap, into a long one more likely than into a short one; the rest of it comes first.
    pickUpAfter(gap(+1) * random.uniform());
  }

  // A gap in nanoseconds; with +1 in place of -1 one that an instant falls into, as long ones hold more instants.
  double gap(int sign) {
    return meanGap * std::exp(run.gapSigma * (normal(random) + sign * run.gapSigma / 2));
  }

  void pickUpAfter(double gap) {
    const Time now = kernel.now();
    if (gap < double(asleepAt - now)) {
      kernel.template call<&Phone::pickUp>(*this, now + Time(gap));
    } else {
      kernel.template call<&Phone::wakeUp>(*this, asleepAt + day - waking);
    }
  }

  void pickUp() {
    const Time now = kernel.now();
    inSession = true;
    ++run.counts->sessions;
    if (random.uniform() < shown) view(now);
    kernel.template call<&Phone::lock>(*this, std::min(now + session, asleepAt));
    if (waitsForPickup) {
      waitsForPickup = false;
      lookAtGates();
    }
  }

  void lock() {
    inSession = false;
    lastUse = kernel.now();
    pickUpAfter(gap(-1));
  }

  // Content by the versions published since its origin's answer (C1, C2, C3, C5).
  void view(Time now) {
    const auto version = [](Time time) { return (time - longAgo) / versionsEvery; };
    const Time missed = version(now) - version(madeAt);
    ++(missed > 0 ? run.counts->staleViews : run.counts->freshViews);
    run.counts->missedVersions += missed;
    run.counts->age += inSeconds(now - madeAt);
    ++viewsToday;
  }

  // The widget (P5, sections 5 and 6).

  void due() {
    dueAt = kernel.now();
    heldByBudget = heldByGap = heldByIdle = false;
    lookAtGates();
  }

  // Grants the reload if the budget, the gap and the idle gate are open (G1, G2, G3), or looks again when they may be.
  void lookAtGates() {
    const Time now = kernel.now();
    budget.settle(now, *run.counts);
    const bool isShort = !budget.hasToken(), isEarly = now < lastRun + minGap;
    const Time idleAt = (inSession ? now : lastUse) + idleAfter;
    const bool isIdle = now >= idleAt;
    if (!isShort && !isEarly && !isIdle) return grant(now);
    heldByBudget |= isShort;
    heldByGap |= isEarly;
    heldByIdle |= isIdle;
    if (isIdle) {
      waitsForPickup = true;
    } else {
      // A gate that is open now can close meanwhile: the next look is when the phone can become idle, if not before.
      const Time opensAt = std::max(isShort ? budget.tokenAt(now) : 0, lastRun + minGap);
      kernel.template call<&Phone::lookAtGates>(*this, std::min(opensAt, idleAt));
    }
  }

  void grant(Time now) {
    Counts& counts = *run.counts;
    ++counts.granted;
    counts.budgetWaits += heldByBudget;
    counts.gapWaits += heldByGap;
    counts.idleWaits += heldByIdle;
    counts.waits += now > dueAt;
    counts.wait += inSeconds(now - dueAt);
    budget.spend();
    static const double sigma = std::log(dispatchP95 / dispatchMedian) / 1.6448536269514722;
    const double delay = dispatchMedian * std::exp(sigma * normal(random));
    kernel.template call<&Phone::dispatch>(*this, now + Time(delay * second));
  }

  void dispatch() {
    lastRun = kernel.now();
    ++run.counts->requests;
    kernel.template call<&Phone::answer>(*this, lastRun + 2 * latency);
  }

  void answer() {
    madeAt = lastRun + latency;
    kernel.template call<&Phone::due>(*this, kernel.now() + asked);
  }

  Kernel& kernel;
  Run& run;
  Generator random;
  std::normal_distribution<double> normal;
  std::array<std::int32_t, windowDays> history;
  std::int32_t viewsToday = -1;  // no device-day has begun
  Budget budget;
  Time madeAt = 0, lastUse = longAgo, lastRun = longAgo, dueAt = 0, asleepAt = 0;
  std::uint8_t oldest = 0;
  bool inSession = false, waitsForPickup = false, heldByBudget = false, heldByGap = false, heldByIdle = false;
};

// The options that all programs have, simpy_subset.py too.
struct Options {
  std::uint64_t devices = 200, seed = 1;
  int warmup = 2, days = 7;
  double gapSigma = 1.146;
  bool oneByOne = false;

  Options(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
      const std::string name = arguments[i];
      if (name == "--one-by-one") {
        oneByOne = true;
        continue;
      }
      const char* value = i + 1 < count ? arguments[++i] : "";
      if (name == "--devices") devices = std::strtoull(value, nullptr, 10);
      else if (name == "--seed") seed = std::strtoull(value, nullptr, 10);
      else if (name == "--warmup") warmup = std::atoi(value);
      else if (name == "--days") days = std::atoi(value);
      else if (name == "--gap-sigma") gapSigma = std::atof(value);
      else {
        std::fprintf(stderr, "%s: there is no option %s\n", arguments[0], name.c_str());
        std::exit(64);
      }
    }
  }
};

// The form of simpy_subset.py.
inline void print(const Counts& counts, double closing, std::uint64_t events) {
  const auto row = [](const char* name, double value) { std::printf("%s,%.17g\n", name, value); };
  std::puts("metric,value");
  row("sessions", counts.sessions);
  row("views_fresh", counts.freshViews);
  row("views_stale", counts.staleViews);
  row("missed_versions", counts.missedVersions);
  row("age", counts.age);
  row("reloads_granted", counts.granted);
  row("requests", counts.requests);
  row("waits", counts.waits);
  row("waits_budget", counts.budgetWaits);
  row("waits_idle", counts.idleWaits);
  row("waits_gap", counts.gapWaits);
  row("wait", counts.wait);
  row("tokens_accrued", counts.accrued);
  row("tokens_expired", counts.expired);
  row("tokens_closing", closing);
  row("events", events);
}

}  // namespace subset
