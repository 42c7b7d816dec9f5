// The subset on a std::priority_queue of events: one for the whole fleet, or with --one-by-one one phone after another,
// each with a queue of its own two events.
#include <queue>
#include <vector>

#include "subset.hpp"

using namespace subset;

namespace {

class Kernel {
 public:
  Time now() const { return clock; }
  std::uint64_t events() const { return ended; }

  template <auto step, class Phone>
  void call(Phone& phone, Time at) {
    queue.push({at, called++, &phone, [](void* phone) { (static_cast<Phone*>(phone)->*step)(); }});
  }

  // Runs up to an instant, which is not included.
  void runUntil(Time end) {
    while (!queue.empty() && queue.top().at < end) {
      const Event event = queue.top();
      queue.pop();
      clock = event.at;
      ++ended;
      event.step(event.phone);
    }
    clock = end;
  }

  // Back to the start, with nothing ahead.
  void reset() {
    queue = {};
    clock = 0;
  }

 private:
  struct Event {
    Time at;
    std::uint64_t order;  // events of one instant happen in the order of their calls
    void* phone;
    void (*step)(void*);
    bool operator>(const Event& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue;
  Time clock = 0;
  std::uint64_t called = 0, ended = 0;
};

}  // namespace

int main(int count, char** arguments) {
  const Options options(count, arguments);
  const Time start = options.warmup * day, end = start + options.days * day;
  Run run{options.seed, options.gapSigma, {}, {}};
  Kernel kernel;
  double closing = 0;
  const std::uint64_t together = options.oneByOne ? 1 : options.devices;
  std::vector<Phone<Kernel>> phones;
  phones.reserve(together);
  for (std::uint64_t first = 0; first < options.devices; first += together) {
    run.counts = &run.warmup;
    phones.clear();
    kernel.reset();
    for (std::uint64_t number = first; number < first + together; ++number) phones.emplace_back(kernel, run, number);
    kernel.runUntil(start);
    for (auto& phone : phones) phone.settle(start);
    run.counts = &run.report;
    kernel.runUntil(end);
    for (auto& phone : phones) {
      phone.settle(end);
      closing += phone.balance();
    }
  }
  print(run.report, closing, kernel.events());
}
