// SPDX-License-Identifier: MIT
//
// The kernel's source as a trace shows it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "cli/app.h"
#include "cli/trace.h"

namespace tilewright {
namespace {

struct LineNotes {
  std::vector<const LineCount*> counts;
  std::vector<const Finding*> findings;
};

using File = std::map<int, LineNotes>;  // by line

std::map<std::string, File> notes_by_file(const Product& product) {
  std::map<std::string, File> files;
  for (const LineCount& line : product.lines) files[line.file][line.line].counts.push_back(&line);
  for (const Finding& finding : product.findings)
    files[finding.file][finding.line].findings.push_back(&finding);
  return files;
}

std::vector<std::string> read_lines(const std::string& file, const std::string& resources) {
  std::vector<std::string> lines;
  for (const std::filesystem::path& path :
       {std::filesystem::path(resources) / "source" / file, std::filesystem::path(file)}) {
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    if (!lines.empty()) break;
  }
  return lines;
}

bool starts_function(const std::string& line) {
  return line.find("__global__") != std::string::npos || line.find("__device__") != std::string::npos;
}

// The functions that hold the noted lines, as far as their text tells: from the line with __global__ or __device__ above
// (and a template head) to the brace in the first column below. Only for people to look at.
std::set<int> lines_to_show(const File& file, const std::vector<std::string>& text) {
  constexpr int around = 3;  // shown where no function is recognised
  const auto line_at = [&](int number) -> const std::string& {
    return text[static_cast<std::size_t>(number - 1)];
  };
  const int last = static_cast<int>(text.size());
  std::set<int> shown;
  for (const auto& [noted, notes] : file) {
    if (noted < 1 || noted > last) continue;
    int from = noted, to = noted;
    while (from > 1 && !starts_function(line_at(from)) && line_at(from).rfind('}', 0) != 0) --from;
    const bool found = starts_function(line_at(from));
    if (found && from > 1 && line_at(from - 1).rfind("template", 0) == 0) --from;
    while (to < last && line_at(to).rfind('}', 0) != 0) ++to;
    if (!found) {
      from = std::max(1, noted - around);
      to = std::min(last, noted + around);
    }
    for (int number = from; number <= to; ++number) shown.insert(number);
  }
  return shown;
}

// A bulk copy is no request.
std::string per_request(std::int64_t count, const WarpCounts& warps) {
  if (warps.requests == 0) return "-";
  return fmt::format("{:.2f}", static_cast<double>(count) / static_cast<double>(warps.requests));
}

constexpr std::string_view margin_head =
    "op              accesses    elements  reuse    requests  lanes  sectors  ideal  ways";

std::string margin_of(const LineCount& line) {
  const WarpCounts& warps = line.warps;
  const bool global = line.space == "global";
  const std::optional<double> reuse = line.reuse();
  return fmt::format(
      "{:<12} {:>11} {:>11} {:>6} {:>11} {:>6} {:>8} {:>6} {:>5}", fmt::format("{} {}", line.space, line.op),
      with_commas(line.count.accesses), with_commas(line.count.elements),
      reuse ? fmt::format("{:.1f}", *reuse) : "-", with_commas(warps.requests),
      per_request(warps.lanes, warps), global ? per_request(warps.sectors, warps) : "-",
      global ? per_request(warps.ideal_sectors, warps) : "-", global ? "-" : std::to_string(warps.most_ways));
}

// What an engineer should look at: twice the sectors that would do, or a bank asked for several words at once.
std::vector<std::string> remarks_on(const LineNotes& notes) {
  std::vector<std::string> remarks;
  for (const LineCount* line : notes.counts) {
    const WarpCounts& warps = line->warps;
    if (line->space == "global" && warps.sectors > 0 && warps.sectors >= 2 * warps.ideal_sectors)
      remarks.push_back(fmt::format("uncoalesced {}: {} sectors moved, {} would hold what is asked for",
                                    line->op, with_commas(warps.sectors), with_commas(warps.ideal_sectors)));
    if (line->space == "shared" && warps.bank_conflicts > 0)
      remarks.push_back(fmt::format("{}-way bank conflict of the {}: {} wavefronts, {} without conflicts",
                                    warps.most_ways, line->op, with_commas(warps.wavefronts),
                                    with_commas(warps.wavefronts - warps.bank_conflicts)));
  }
  return remarks;
}

// As a compiler would: the place and the kind, and below it a few of the events.
void append_findings(std::string& text, const std::vector<const Finding*>& findings) {
  constexpr int most_shown = 3;  // of a kind
  std::map<FindingKind, int> shown;
  for (const Finding* finding : findings) {
    const int before = shown[finding->kind]++;
    if (before == 0)
      text += fmt::format("{}:{}: {} ({} in all)\n", finding->file, finding->line, name_of(finding->kind),
                          finding->total);
    if (before < most_shown) text += fmt::format("    {}\n", finding->message);
  }
}

void append_line(std::string& text, int number, const std::string& source, const LineNotes& notes) {
  const std::string blank(margin_head.size(), ' ');
  for (std::size_t i = 0; i < std::max<std::size_t>(1, notes.counts.size()); ++i)
    text += fmt::format("{} |{}\n", i < notes.counts.size() ? margin_of(*notes.counts[i]) : blank,
                        i == 0 ? fmt::format("{:>4}  {}", number, source) : "");
  const std::string below = blank + " |      ";
  for (const std::string& remark : remarks_on(notes)) text += fmt::format("{}^ {}\n", below, remark);
  append_findings(text, notes.findings);
}

// Of a file whose text is not here.
void append_bare(std::string& text, const File& file) {
  for (const auto& [number, notes] : file) append_line(text, number, "", notes);
}

void append_annotated(std::string& text, const File& file, const std::vector<std::string>& source) {
  const std::string gap = std::string(margin_head.size(), ' ') + " |  ...\n";
  int previous = 0;
  for (const int number : lines_to_show(file, source)) {
    if (previous != 0 && number != previous + 1) text += gap;
    previous = number;
    const auto notes = file.find(number);
    append_line(text, number, source[static_cast<std::size_t>(number - 1)],
                notes == file.end() ? LineNotes{} : notes->second);
  }
}

}  // namespace

std::string annotated_source(const Trace& trace, const std::string& resources) {
  std::string text;
  for (const auto& [name, file] : notes_by_file(trace.outcome.product)) {
    text += fmt::format("{} | {}\n", margin_head, name.empty() ? "(no source line known)" : name);
    const std::vector<std::string> source = read_lines(name, resources);
    if (source.empty())
      append_bare(text, file);
    else
      append_annotated(text, file, source);
    text += "\n";
  }
  return text;
}

}  // namespace tilewright
