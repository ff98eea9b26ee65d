// SPDX-License-Identifier: MIT
//
// Two kernels at one shape, number beside number.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/trace.h"

namespace tilewright {

std::vector<LineTotals> totals_of(const std::vector<LineCount>& lines) {
  std::vector<LineTotals> totals{{"global", "read", {}, {}},
                                 {"global", "write", {}, {}},
                                 {"shared", "read", {}, {}},
                                 {"shared", "write", {}, {}}};
  for (const LineCount& line : lines)
    for (LineTotals& total : totals)
      if (total.space == line.space && total.op == line.op) {
        total.count.accesses += line.count.accesses;
        total.count.elements += line.count.elements;
        total.warps += line.warps;
      }
  return totals;
}

std::string side_by_side(const Trace& first, const Trace& second) {
  std::vector<std::vector<std::string>> rows{{"", first.rung.name, second.rung.name, "second / first"}};
  const auto row = [&](const std::string& what, std::int64_t a, std::int64_t b) {
    if (a == 0 && b == 0) return;
    rows.push_back({what, with_commas(a), with_commas(b),
                    a == 0 ? "-" : fmt::format("{:.3g}", static_cast<double>(b) / static_cast<double>(a))});
  };
  const auto ratio_row = [&](const std::string& what, std::int64_t a, std::int64_t of_a, std::int64_t b,
                             std::int64_t of_b) {
    if (of_a == 0 && of_b == 0) return;
    const auto ratio = [](std::int64_t n, std::int64_t d) {
      return d == 0 ? "-" : fmt::format("{:.2f}", static_cast<double>(n) / static_cast<double>(d));
    };
    rows.push_back({what, ratio(a, of_a), ratio(b, of_b), ""});
  };
  const std::vector<LineTotals> ours = totals_of(first.outcome.product.lines);
  const std::vector<LineTotals> theirs = totals_of(second.outcome.product.lines);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const WarpCounts &a = ours[i].warps, &b = theirs[i].warps;
    const std::string what = fmt::format("{} {}s", ours[i].space, ours[i].op);
    row(what + ", elements", ours[i].count.elements, theirs[i].count.elements);
    row("  accesses", ours[i].count.accesses, theirs[i].count.accesses);
    row("  requests of a warp", a.requests, b.requests);
    ratio_row("  lanes per request", a.lanes, a.requests, b.lanes, b.requests);
    if (ours[i].space == "global") {
      row("  sectors", a.sectors, b.sectors);
      ratio_row("  sectors per request", a.sectors, a.requests, b.sectors, b.requests);
      ratio_row("  ideal", a.ideal_sectors, a.requests, b.ideal_sectors, b.requests);
    } else {
      row("  wavefronts", a.wavefronts, b.wavefronts);
      row("  bank conflicts", a.bank_conflicts, b.bank_conflicts);
      row("  bank ways at worst", a.most_ways, b.most_ways);
    }
  }
  row("findings", first.outcome.product.findings_total, second.outcome.product.findings_total);
  rows.push_back({"verdict", first.outcome.verdict.text(), second.outcome.verdict.text(), ""});
  return text_table(rows);
}

}  // namespace tilewright
