// SPDX-License-Identifier: MIT
#include "bench/agreement_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "bench/markdown.h"
#include "cli/app.h"
#include "core/error.h"

namespace tilewright {
namespace {

constexpr const char* introduction =
    R"(# Agreement: what is predicted, and what a GPU counts

<!-- Written by ./dev docs from results/h200/agreement.jsonl; not by hand. -->

The emulator runs a rung's source and says how many requests, sectors and bank conflicts it makes; the model says how many
multiply-adds. Nsight Compute counts the same on a GPU, in one launch of the same source. This page holds the two against
each other.

**What is compared.** A *request* is one load or store instruction of a warp with at least one active lane. A *sector* is 32
bytes of global memory that a request touches. A *wavefront* is one pass of the 32 banks of shared memory; a *bank conflict*
is a wavefront beyond those that a request needs when no two lanes want different words of one bank. *Multiply-adds* are FFMA
instructions, each thread's counted. *Local* loads and stores are registers spilled to memory, of which there should be none.

**What the words mean.**

- *equal*: the number that was predicted. The tables show it alone.
- *merged*: the compiler made one 8- or 16-byte access of several of the source's, as the machine code shows. Then requests
  must be exactly the prediction times instructions over source accesses. Wavefronts and sectors must lie between one a
  request and the prediction, since a wide access takes at least one and at most as many as those that it stands for, and so has bank conflicts.
- *arbitrated*: the counter of bank conflicts also counts wavefronts that the pipe repeated because something else wanted
  the banks in that cycle, a number that changes from run to run. Another counter tells how many wavefronts the
  instructions' own addresses need; the difference between the pipe's wavefronts and those, taken off the conflicts, leaves
  exactly the prediction.
- *masked*: a copy by `cp.async` that lies outside of its matrix reads nothing, and is a request of the hardware all the
  same; the emulator counts what the source reads.
- *different*: nothing explains it. That is an error, here or in the emulator, and a test fails.
- *unavailable*: this Nsight Compute, or this GPU, has no such counter. It is not taken for zero.

**To make it again**, on a machine with an NVIDIA GPU and Nsight Compute, in the folder that `./dev gpu` makes:

```sh
./agreement.sh OUT    # then copy OUT/agreement.jsonl to results/h200/ and run ./dev docs
```
)";

// "global_load_requests" → "global load requests"
std::string words(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

std::string shape_text(const Json& record) {
  const Json& shape = record.at("shape");
  return to_string(Shape{shape.at(0), shape.at(1), shape.at(2)});
}

// A count; anything else as it stands in the record.
std::string number_text(const Json& number) {
  return number.is_number_integer() ? with_commas(number.get<std::int64_t>()) : number.dump();
}

std::string cell_text(const Json& agreement) {
  std::string status = agreement.at("status");
  if (agreement.at("measured").is_null()) return status;
  std::string measured = number_text(agreement.at("measured"));
  const std::string predicted = number_text(agreement.at("predicted"));
  if (status == "equal") return measured;
  if (status == "merged") return measured + " *merged* from " + predicted;
  if (status == "arbitrated") return predicted + " (" + measured + " *arbitrated*)";
  return "**" + measured + "** *" + status + "*, predicted " + predicted;
}

const Json* find_quantity(const Json& record, const std::string& quantity) {
  for (const Json& agreement : record.at("agreement"))
    if (agreement.at("quantity") == quantity) return &agreement;
  return nullptr;
}

// One rung: a row for each quantity, a column for each shape.
std::string rung_table(const std::vector<Json>& records) {
  std::vector<std::string> head{""};
  for (const Json& record : records) head.push_back(shape_text(record));
  std::string text = table_head(head);
  for (const Json& first : records.front().at("agreement")) {
    const std::string quantity = first.at("quantity");
    std::vector<std::string> row{words(quantity)};
    for (const Json& record : records) {
      const Json* agreement = find_quantity(record, quantity);
      row.push_back(agreement == nullptr ? "-" : cell_text(*agreement));
    }
    text += table_row(row);
  }
  return text;
}

std::string machine_code(const Json& record) {
  const Json& sass = record.at("sass");
  if (sass.contains("unavailable"))
    return "Machine code not read: " + sass["unavailable"].get<std::string>() + ".\n";
  std::string text;
  for (const auto& [opcode, count] : sass.items())
    if (opcode != "arch") text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.dump(), opcode);
  std::string registers;
  for (const Json& metric : record.at("metrics"))
    if (metric.at("name") == "launch__registers_per_thread" && !metric.at("value").is_null())
      registers = "; " + number_text(metric.at("value")) + " registers a thread";
  return fmt::format("Machine code ({}), instructions: {}{}.\n", sass.at("arch").get<std::string>(), text,
                     registers);
}

// Each different environment and revision once.
std::string origin(const std::vector<Json>& records) {
  std::set<std::string> lines;
  for (const Json& record : records) {
    const Json& environment = record.at("environment");
    const auto value = [&](const char* key) { return environment.value(key, "?"); };
    lines.insert(fmt::format(
        "- {}, compute capability {}, driver for CUDA {}, toolkit {}, Nsight Compute {}; source {}\n",
        value("gpu"), value("compute_capability"), value("driver_cuda"), value("toolkit"), value("ncu"),
        record.at("revision").get<std::string>().substr(0, 12)));
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string totals(const std::vector<Json>& records) {
  std::map<std::string, int> of_status{{"equal", 0},  {"merged", 0},    {"arbitrated", 0},
                                       {"masked", 0}, {"different", 0}, {"unavailable", 0}};
  int compared = 0;
  for (const Json& record : records)
    for (const Json& agreement : record.at("agreement")) {
      const std::string status = agreement.at("status");
      ++of_status[status.substr(0, status.find('('))];
      ++compared;
    }
  return fmt::format(
      "{} launches, {} numbers: {} equal, {} merged, {} arbitrated, {} masked, {} different, {} "
      "unavailable.\n",
      records.size(), compared, of_status["equal"], of_status["merged"], of_status["arbitrated"],
      of_status["masked"], of_status["different"], of_status["unavailable"]);
}

}  // namespace

std::vector<Json> read_records(const std::string& path) {
  std::ifstream stream(path);
  std::vector<Json> records;
  for (std::string line; std::getline(stream, line);) {
    Json record = Json::parse(line, nullptr, false);
    if (!record.is_object())
      throw bad_input("record file", path,
                      "line " + std::to_string(records.size() + 1) + " is not a JSON object");
    records.push_back(std::move(record));
  }
  return records;
}

std::string agreement_page(const std::vector<Json>& records) {
  std::string page = introduction;
  if (records.empty()) return page + "\nThere are no records yet: no GPU has been measured.\n";
  page += "\n## Measured\n\n" + origin(records) + "\n" + totals(records);
  std::vector<std::string> kernels;  // in the order of the records
  std::map<std::string, std::vector<Json>> of_kernel;
  for (const Json& record : records) {
    const std::string kernel = record.at("kernel");
    if (of_kernel[kernel].empty()) kernels.push_back(kernel);
    of_kernel[kernel].push_back(record);
  }
  for (const std::string& kernel : kernels)
    page += "\n### " + kernel + "\n\n" + rung_table(of_kernel[kernel]) + "\n" +
            machine_code(of_kernel[kernel].front());
  return page;
}

}  // namespace tilewright
