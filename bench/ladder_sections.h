// SPDX-License-Identifier: MIT
//
// The parts of docs/ladder.md.
#pragma once

#include <fmt/format.h>

#include "bench/ladder_page.h"
#include "report/standing.h"

namespace tilewright {

inline constexpr std::int64_t ladder_edges[] = {512, 1024, 2048, 4096, 8192};

// A run by its number in the page's table of runs.
inline std::string run_text(std::size_t run) { return fmt::format("{}", run + 1); }
inline std::string ratio_text(double ratio) { return fmt::format("{:.3f}", ratio); }

// Every rung at every size in one table.
std::string glance_section(const LadderSources& sources, const BenchRecords& records);
// The steps of the ladder, or the candidates: text and figures of each.
std::string steps_section(const LadderSources& sources, const BenchRecords& records, bool candidates);
// `auto` beside cuBLAS: every declared shape, the targets, the shapes that lose.
std::string library_section(const std::vector<DeclaredSet>& sets, const BenchRecords& records);

}  // namespace tilewright
