// SPDX-License-Identifier: MIT
#include "emulator/watch/warp_view.h"

namespace tilewright {

void WarpView::add_site(std::uint32_t site, std::uintptr_t pc, bool write) {
  if (site >= sites_.size()) sites_.resize(site + 1);
  sites_[site] = {pc, write, {}};
  occurrence_.resize(2 * sites_.size());
  counts_.resize(2 * sites_.size());
}

void WarpView::end_epoch() {
  for (SiteLine& site : sites_)
    if (!site.line && site.pc != 0) site.line = line_of_(site.pc);
  for (std::vector<Stream>& streams : warps_) {
    for (std::size_t stream = 0; stream < streams.size(); ++stream) {
      if (streams[stream].used == 0) continue;
      const SiteLine& site = sites_[stream / 2];
      const Space space = stream % 2 == 1 ? Space::shared : Space::global;
      Stream& requests = streams[stream];
      for (std::size_t i = 0; i < requests.used; ++i) {
        counts_[stream] += count_request(requests.all[i], space);
        reuse_.touch(*site.line, site.write, space, requests.all[i]);
      }
      requests.used = 0;
    }
  }
}

WarpCounts WarpView::counts(std::uint32_t site, Space space) const {
  const std::size_t stream = stream_of(site, space);
  return stream < counts_.size() ? counts_[stream] : WarpCounts{};
}

}  // namespace tilewright
