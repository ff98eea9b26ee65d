// SPDX-License-Identifier: MIT
#include "cli/profile_limit.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewright {
namespace {

// When this much of what is issued goes to the FMA pipe, busy issue slots are the FMA pipe's own and no other limit.
constexpr double fma_share_of_issue = 0.8;
// A part of L1 stands for the whole when it is this close to the busiest part, which ncu gives without its name.
constexpr double share_of_busiest = 0.9;

struct Use {
  std::string name;
  double percent;
};

// The busiest part of L1 and shared memory.
std::optional<Use> use_of_l1(const std::vector<Reading>& readings) {
  std::optional<Use> busiest;
  for (const auto& [quantity, name] :
       {std::pair{"data_pipe", "L1/shared data pipe"}, {"load_store_queue", "load/store queue"}})
    if (const auto percent = measured_of(readings, quantity);
        percent && (!busiest || *percent > busiest->percent))
      busiest = {name, *percent};
  const std::optional<double> whole = measured_of(readings, "l1");
  if (whole && (!busiest || busiest->percent < share_of_busiest * *whole)) return Use{"L1", *whole};
  return busiest;
}

// Busiest first; and the names of those that were not measured.
std::vector<Use> uses_of(const std::vector<Reading>& readings, std::vector<std::string>& not_measured) {
  std::vector<Use> uses;
  const auto note = [&](const char* name, std::optional<Use> use) {
    if (use)
      uses.push_back(std::move(*use));
    else
      not_measured.emplace_back(name);
  };
  const auto unit = [&](const char* name, const char* quantity) {
    const std::optional<double> percent = measured_of(readings, quantity);
    note(name, percent ? std::optional(Use{name, *percent}) : std::nullopt);
  };
  unit("FMA pipe", "fma_pipe");
  note("L1/shared data pipe", use_of_l1(readings));
  unit("L2", "l2");
  unit("DRAM bandwidth", "dram");
  std::stable_sort(uses.begin(), uses.end(),
                   [](const Use& a, const Use& b) { return a.percent > b.percent; });
  return uses;
}

std::string text_of(const Use& use) { return fmt::format("{} {:.0f} %", use.name, use.percent); }

// "4.2 of 6.1 warps an issue wait for long_scoreboard"; stalls come largest first. A warp that was not selected was
// ready, and waited for nothing but its turn.
std::string stall_text(const std::vector<Reading>& readings) {
  const Reading* top = nullptr;
  double all = 0;
  for (const Reading& reading : readings) {
    if (reading.section != "stalls" || !reading.measured || reading.quantity == "not_selected") continue;
    if (top == nullptr) top = &reading;
    all += *reading.measured;
  }
  if (top == nullptr || *top->measured <= 0) return {};
  return fmt::format("; top stall {}, {:.1f} of the {:.1f} warps that wait at each issue", top->quantity,
                     *top->measured, all);
}

// The resource of which an SM runs out before it has all the warps that it could hold.
std::string occupancy_limit(const std::vector<Reading>& readings) {
  std::string name;
  double fewest = 0;
  for (const auto& [quantity, what] : {std::pair{"blocks_by_registers", "registers"},
                                       {"blocks_by_shared", "shared memory"},
                                       {"blocks_by_warps", "warps"},
                                       {"blocks_by_count", "blocks"}}) {
    const std::optional<double> blocks = measured_of(readings, quantity);
    if (!blocks || (!name.empty() && *blocks >= fewest)) continue;
    name = what;
    fewest = *blocks;
  }
  return name.empty() ? "" : " by " + name;
}

std::string occupancy_text(const std::vector<Reading>& readings) {
  std::string text;
  if (const auto achieved = measured_of(readings, "occupancy_achieved"))
    text += fmt::format("; occupancy {:.0f} %", *achieved);
  if (const auto possible = measured_of(readings, "occupancy_possible"))
    text += fmt::format("{}{:.0f} % possible{}", text.empty() ? "; occupancy " : " of ", *possible,
                        *possible < 100 ? occupancy_limit(readings) : "");
  if (const auto waves = measured_of(readings, "waves"); waves && *waves < 1)
    text += fmt::format("; the grid fills {:.2f} of a wave", *waves);
  return text;
}

Limit latency(const Use& most, const std::vector<Reading>& readings) {
  return {"latency", most.name, most.percent,
          fmt::format("latency: nothing above {:.0f} %, most {}{}{}", busy_percent, text_of(most),
                      stall_text(readings), occupancy_text(readings))};
}

Limit judge(const std::vector<Use>& uses, const std::vector<Reading>& readings) {
  const Use& top = uses.front();
  const Use issue{"issue slots", measured_of(readings, "issue_slots").value_or(0)};
  const double fma = measured_of(readings, "fma_pipe").value_or(0);
  if (issue.percent >= busy_percent && issue.percent > top.percent &&
      fma < fma_share_of_issue * issue.percent)
    return {"issue", issue.name, issue.percent,
            fmt::format("issue slots: {:.0f} % of their peak; next {}", issue.percent, text_of(top))};
  if (top.percent < busy_percent) return latency(top, readings);
  std::string sentence = fmt::format("{}: {:.0f} % of its peak", top.name, top.percent);
  if (uses.size() > 1) sentence += "; next " + text_of(uses[1]);
  return {"resource", top.name, top.percent, sentence};
}

}  // namespace

Limit limiting_resource(const std::vector<Reading>& readings) {
  std::vector<std::string> not_measured;
  const std::vector<Use> uses = uses_of(readings, not_measured);
  Limit limit =
      uses.empty() ? Limit{"unknown", "", {}, "unknown: no unit was measured"} : judge(uses, readings);
  if (!uses.empty() && !not_measured.empty())
    limit.sentence += fmt::format("; not measured: {}", fmt::join(not_measured, ", "));
  return limit;
}

}  // namespace tilewright
