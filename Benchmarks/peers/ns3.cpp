// The subset on the simulator of ns-3 with its default scheduler; random numbers are those of subset.hpp.
#include <vector>

#include "ns3/core-module.h"
#include "subset.hpp"

namespace {

struct Kernel {
  // A time step of ns-3 is a nanosecond, as in subset.hpp.
  subset::Time now() const { return ns3::Simulator::Now().GetTimeStep(); }

  template <auto step, class Phone>
  void call(Phone& phone, subset::Time at) {
    ns3::Simulator::Schedule(ns3::Time(at - now()), step, &phone);
  }

  // Runs up to an instant, which is not included: of one instant, what was scheduled first happens first.
  void runFor(subset::Time time) {
    ns3::Simulator::Stop(ns3::Time(time));
    ns3::Simulator::Run();
  }
};

}  // namespace

int main(int count, char** arguments) {
  const subset::Options options(count, arguments);
  const subset::Time start = options.warmup * subset::day, report = options.days * subset::day;
  subset::Run run{options.seed, options.gapSigma, {}, {}};
  Kernel kernel;
  std::vector<subset::Phone<Kernel>> phones;
  phones.reserve(options.devices);
  for (std::uint64_t number = 0; number < options.devices; ++number) phones.emplace_back(kernel, run, number);
  kernel.runFor(start);
  for (auto& phone : phones) phone.settle(start);
  run.counts = &run.report;
  kernel.runFor(report);
  double closing = 0;
  for (auto& phone : phones) {
    phone.settle(start + report);
    closing += phone.balance();
  }
  print(run.report, closing, ns3::Simulator::GetEventCount());
  ns3::Simulator::Destroy();
}
