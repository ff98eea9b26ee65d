// SPDX-License-Identifier: MIT
#include "bench/trial_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "judge/contract.h"

namespace tilewright {
namespace {

[[noreturn]] void refuse(const std::string& path, std::size_t line, const Json& value,
                         const std::string& rule) {
  throw bad_input(
      path + " line " + std::to_string(line),
      value.is_null() ? "" : value.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 60), rule);
}

bool has_text(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() && !json[key].get<std::string>().empty();
}

bool is_shape(const Json& json) {
  const auto extent = [](const Json& one) {
    return one.is_number_unsigned() && one.get<std::uint64_t>() >= 1 &&
           one.get<std::uint64_t>() <= static_cast<std::uint64_t>(largest_library_dimension);
  };
  return json.is_array() && json.size() == 3 && std::all_of(json.begin(), json.end(), extent);
}

void require_head(const std::string& path, const Json& head) {
  if (head.value("schema", Json()) != record_schema || head.value("record", Json()) != "tune")
    refuse(path, 1, head, "is not the head of a tuning run of schema " + std::to_string(record_schema));
  if (!has_text(head, "revision") || !head.contains("dirty") || !head["dirty"].is_boolean() ||
      !head.contains("settings") || !head.contains("environment") || !head["environment"].is_object() ||
      !has_text(head["environment"], "gpu"))
    refuse(path, 1, Json(), "the head lacks revision, dirty, settings or environment with its gpu");
}

void require_trial(const std::string& path, std::size_t line, const Json& trial) {
  if (trial.value("record", Json()) != "trial") refuse(path, line, trial, "is not a trial");
  if (!trial.contains("shape") || !is_shape(trial["shape"]))
    refuse(path, line, trial.value("shape", Json()), "shape must be [M, N, K], each from 1 to 2147483647");
  if (!has_text(trial, "kernel") || !has_text(trial, "verdict"))
    refuse(path, line, trial, "needs a kernel and a verdict");
  if (!trial.contains("median_us")) return;
  const Json& median = trial["median_us"];
  if (!median.is_number() || !std::isfinite(median.get<double>()) || !(median.get<double>() > 0))
    refuse(path, line, median, "median_us must be a number above 0");
}

// What must be the same for times to stand side by side.
void require_same(const std::string& path, const Json& old, const Json& now) {
  const auto compare = [&](const std::string& what, const Json& before, const Json& after) {
    if (before == after) return;
    throw bad_input("--out", path,
                    "its trials are of another " + what + ", " + before.dump() + ", this run's is " +
                        after.dump() + "; --restart begins the file anew");
  };
  for (const char* key : {"revision", "dirty", "settings"}) compare(key, old[key], now[key]);
  for (const char* key : {"gpu", "multiprocessors", "driver", "toolkit", "flags"})
    compare(key, old["environment"].value(key, Json()), now["environment"].value(key, Json()));
}

}  // namespace

Trials read_trials(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream.is_open()) throw bad_input("trials", path, "cannot be read");
  Trials trials;
  std::size_t number = 0;
  std::set<std::pair<Shape, std::string>> seen;
  for (std::string line; std::getline(stream, line) && !stream.eof();) {
    ++number;
    trials.whole_bytes += line.size() + 1;
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) refuse(path, number, Json(), "is not a JSON object");
    if (number == 1) {
      require_head(path, json);
      trials.head = json;
    } else {
      require_trial(path, number, json);
      if (!seen.emplace(trial_shape(json), json["kernel"]).second)
        refuse(path, number, json["kernel"], "has a trial at this shape in a line above as well");
      trials.trials.push_back(json);
    }
  }
  return trials;
}

TrialFile::TrialFile(std::string path, const Json& head, bool restart) : path_(std::move(path)) {
  std::error_code failure;
  if (!restart && std::filesystem::exists(path_, failure)) trials_ = read_trials(path_);
  const bool goes_on = !trials_.head.is_null();
  if (goes_on) {
    require_same(path_, trials_.head, head);
    // The line that was cut off would otherwise run into the next.
    std::filesystem::resize_file(path_, trials_.whole_bytes, failure);
  }
  stream_.open(path_, goes_on ? std::ios::app : std::ios::trunc);
  if (!stream_.is_open() || failure) throw bad_input("--out", path_, "cannot be written");
  if (goes_on) return;
  trials_.head = head;
  append(head);
}

bool TrialFile::has(Shape shape, const std::string& rung) const {
  return std::any_of(trials_.trials.begin(), trials_.trials.end(), [&](const Json& trial) {
    return trial["kernel"] == rung && trial_shape(trial) == shape;
  });
}

std::optional<double> TrialFile::best_us(Shape shape) const {
  std::optional<double> best;
  for (const Json& trial : trials_.trials)
    if (const auto median = trial_median_us(trial); median && trial_shape(trial) == shape)
      best = std::min(best.value_or(*median), *median);
  return best;
}

void TrialFile::add(const Json& trial) {
  append(trial);
  trials_.trials.push_back(trial);
}

void TrialFile::append(const Json& line) {
  stream_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  if (!stream_) throw bad_input("--out", path_, "cannot be written");
}

Shape trial_shape(const Json& trial) {
  const Json& shape = trial["shape"];
  return {shape[0], shape[1], shape[2]};
}

std::optional<double> trial_median_us(const Json& trial) {
  const std::string verdict = trial["verdict"];
  const bool right = verdict == "PASS" || verdict.rfind("UNSTABLE", 0) == 0;
  if (!right || !trial.contains("median_us")) return std::nullopt;
  return trial["median_us"].get<double>();
}

}  // namespace tilewright
