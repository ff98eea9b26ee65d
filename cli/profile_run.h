// SPDX-License-Identifier: MIT
//
// One launch of a rung, measured by Nsight Compute, predicted by the model and by the emulator, and held together. The
// exact comparison of counts is made where the emulator ran every block; of a larger launch it runs a few blocks of each
// class for their predictions, or none.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/profile_agreement.h"
#include "cli/profile_counters.h"
#include "cli/profile_limit.h"
#include "cli/profile_readings.h"
#include "cli/profile_sass.h"
#include "cli/trace.h"
#include "core/error.h"
#include "device/catalog.h"

namespace tilewright {

inline constexpr const char* profiled_inputs = "uniform";  // counts do not depend on the values
// The largest launch of which the emulator runs every block unless told otherwise: minutes of one core.
inline constexpr std::int64_t most_emulated_multiply_adds = 1LL << 30;

struct ProfileRequest {
  std::string kernel, shape;
  std::uint64_t seed = 1;
  std::string blocks =
      "auto";  // that the emulator runs: all, sample, none; auto: all or, of a large launch, sample
  bool counts_only = false;  // read only what is compared exactly: half the time
};

// Where the launch is measured.
struct ProfileStand {
  Environment environment;
  std::string ncu;                   // its path
  std::string program;               // that holds the kernel's machine code
  std::string symbol;                // the rung's own kernel's name there
  std::vector<std::string> command;  // launches it once, and prints its record as a line
  std::string first_symbol = {};     // of the kernel that is launched before it; empty where there is none
};

struct Profile {
  ProfileRequest request;
  Catalog catalog;  // holds the module that `rung` points into
  Rung rung;
  Shape shape;
  ProfileStand stand;
  std::string ncu_version;
  MeasuredCounters counters;     // of the rung's own kernel
  std::vector<Metric> compared;  // of all its kernels, summed
  std::optional<SassCounts> sass;
  std::optional<SassCounts> first_sass;  // of its first kernel
  std::string sass_unavailable;
  std::optional<Trace> trace;          // unless the emulator ran no block
  std::string emulator_left_out;       // why it did not
  std::optional<Prediction> emulated;  // as `trace`
  std::vector<Reading> readings;
  Limit limit;
  std::vector<Agreement> agreement;  // empty unless the emulator ran every block
  std::string agreement_left_out;    // why it is
  std::string verdict;
};

// Throws Error(unavailable) as "profile 'KERNEL': UNAVAILABLE(reason)" when there are no counters, and whatever is wrong
// with the request. `prepare` makes the stand for what it names.
Profile run_profile(const Installation& installation, const ProfileRequest& request,
                    const std::function<ProfileStand(const Rung&, Shape)>& prepare);

// On the GPU of its stand.
Problem problem_of(const Profile& profile);

Error profile_unavailable(const std::string& kernel, const std::string& reason);

// The path of ncu. Throws Error(unavailable) when it is not installed.
std::string require_ncu(const std::string& kernel);

Json profile_record(const Profile& profile);
std::string profile_text(const Profile& profile);

}  // namespace tilewright
