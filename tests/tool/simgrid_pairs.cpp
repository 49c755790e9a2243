/* What SimGrid makes of a platform file: for each two hosts the rate and the latency of the way from the one to the other.
   Prints lines "FROM TO BIT/S NANOSECONDS".
   usage: simgrid_pairs FILE */
#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include <simgrid/s4u.hpp>

namespace s4u = simgrid::s4u;

int main(int argc, char **argv)
{
  s4u::Engine engine(&argc, argv);
  if (argc != 2)
    return 2;
  engine.load_platform(argv[1]);
  engine.seal_platform();
  const std::vector<s4u::Host *> hosts = engine.get_all_hosts();
  for (const s4u::Host *from : hosts)
    for (const s4u::Host *to : hosts) {
      if (from == to)
        continue;
      std::vector<s4u::Link *> links;
      double seconds = 0, rate = std::numeric_limits<double>::infinity();
      from->route_to(to, links, &seconds);
      for (const s4u::Link *link : links)
        rate = std::min(rate, link->get_bandwidth());
      std::printf("%s %s %.0f %.0f\n", from->get_cname(), to->get_cname(), 8 * rate, 1e9 * seconds);
    }
}
