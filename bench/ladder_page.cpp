// SPDX-License-Identifier: MIT
#include "bench/ladder_page.h"

#include <algorithm>

#include "bench/ladder_sections.h"
#include "bench/markdown.h"
#include "core/error.h"

namespace tilewright {
namespace {

constexpr const char* introduction =
    R"(# The ladder: what was predicted, what was measured, what was decided

<!-- Written by ./dev docs from results/h200/bench/*.jsonl, results/h200/profiles.jsonl and the rungs' pages; not by hand. -->

Each rung changes one thing. Its page derives what the change should do; a GPU says what it did; a rung that loses stays here
and says so. Predicted effects and decisions are taken from the rungs' pages, every number in a table from a record.

**What the words mean.**

- *median µs*: of one launch, from events around batches of launches, all samples kept. *TFLOP/s*: 2·M·N·K over that time.
- *of cuBLAS*: the best of cuBLAS (its default, its pedantic mode, the fastest of cuBLASLt's list) in turn with the rung on
  the same buffers: the median of cuBLAS's time over the rung's, round by round.
- *of the FMA ceiling*: of what a kernel of nothing but multiply-adds reached at the start of the same run.
- *times the rung before*: TFLOP/s over those of the fastest rung of the step before, each of its own cell; † when the two are
  of different runs. **slower** when more than 1 % below it.
- *boost*: short batches with pauses, so that neither heat nor power lowers the clock; *sustained*: batch upon batch. Where
  nothing is said a figure is of *boost*.
- *warm*: the same operands in each launch, as the last one left them in the caches; *rotate*: operand sets that fill the L2
  at least twice, in turn.
- PASS: every timed product was right and the samples are steady; UNSTABLE: they are not; UNSUPPORTED: not measured, by the
  rule that it names; REJECTED: above what is possible; FAIL: wrong. FASTER and SLOWER: the whole 99 % interval of the median
  ratio is beyond 1 %; SAME: all of it within; else AMBIGUOUS.
- *run*: a row of the [last table](#where-the-figures-come-from). Of several records of one kernel and shape the newest is
  shown ([how time is measured](decisions/0010-how-time-is-measured.md)).

**To make it again**, on a machine with an NVIDIA GPU, in the folder that `./dev gpu` makes:

```sh
./bench_evidence.sh OUT    # then copy OUT/*.jsonl to results/h200/bench/ and run ./dev docs
```
)";

std::string controls_section(const BenchRecords& records) {
  std::string text =
      "\n## The control: a rung beside itself\n\nWhat is measured against itself must not come out FASTER or "
      "SLOWER, or "
      "the measuring has no say on others.\n\n";
  const std::vector<BenchedControl> controls = records.controls();
  if (controls.empty()) return text + "There are no records of a control yet.\n";
  text += table_head({"rung", "MxNxK", "caches", "mode", "itself/own", "interval", "verdict", "run"}, 4);
  for (const BenchedControl& control : controls) {
    const BenchedRun& run = records.runs()[control.run];
    const auto number = [](double value) { return fmt::format("{:.4f}", value); };
    text += table_row({control.kernel, to_string(control.shape), run.cache, run.mode,
                       number(control.itself.median),
                       number(control.itself.low) + " … " + number(control.itself.high),
                       control.itself.verdict, run_text(control.run)});
  }
  return text;
}

std::string runs_section(const BenchRecords& records) {
  std::string text = "\n## Where the figures come from\n\n";
  if (records.runs().empty()) return text + "There are no records yet: no GPU has been measured.\n";
  text += table_head({"run", "record file", "date", "revision", "GPU", "driver", "toolkit", "cuBLAS",
                      "caches", "mode", "boundary", "FMA ceiling, TFLOP/s"},
                     11);
  for (std::size_t number = 0; number < records.runs().size(); ++number) {
    const BenchedRun& run = records.runs()[number];
    text += table_row(
        {run_text(number), fmt::format("[{}](../{})", run.file.substr(run.file.rfind('/') + 1), run.file),
         run.started.substr(0, 10), run.revision.substr(0, 12) + (run.dirty ? " and changes" : ""), run.gpu,
         run.driver, run.toolkit, run.cublas, run.cache, run.mode, run.boundary,
         fmt::format("{:.1f}", run.fma_tflops)});
  }
  return text;
}

void require_schema(const BenchFile& file) {
  for (std::size_t line = 0; line < file.records.size(); ++line)
    if (file.records[line].value("schema", 0) != record_schema)
      throw bad_input("record file", file.name,
                      "line " + std::to_string(line + 1) + " is no record of this schema");
}

}  // namespace

std::string ladder_page(const LadderSources& sources) {
  require_schema(sources.profiles);
  const BenchRecords records(sources.bench);
  std::string page = introduction + glance_section(sources, records);
  page += "\n## The steps\n" + steps_section(sources, records, false);
  if (std::any_of(sources.steps.begin(), sources.steps.end(),
                  [](const LadderStep& step) { return step.candidate(); }))
    page +=
        "\n## Candidates\n\nThey join the ladder when a GPU's records bear them out "
        "([how](../kernels/fp32/candidates/README.md)).\n" +
        steps_section(sources, records, true);
  return page + library_section(sources.sets, records) + controls_section(records) + runs_section(records);
}

}  // namespace tilewright
