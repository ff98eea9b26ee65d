// SPDX-License-Identifier: MIT
//
// The file of a tuning run: a head (which GPU, revision and settings), then one trial a line, each appended as soon as it
// is known, so that a run that was cut off goes on where it was. Unlike other records it grows in place.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "judge/record.h"

namespace tilewright {

struct Trials {
  Json head;
  std::vector<Json> trials;
  std::uintmax_t whole_bytes = 0;  // up to the last line that ends; what follows was cut off
};

// Throws bad_input naming file, line, key and rule on anything but a head and trials; a last line without its end is
// left out.
Trials read_trials(const std::string& path);

class TrialFile {
 public:
  // Goes on with the file where there is one, unless `restart`. Throws bad_input when it is of another GPU, driver,
  // revision or settings than `head`, or cannot be written.
  TrialFile(std::string path, const Json& head, bool restart);

  bool has(Shape shape, const std::string& rung) const;
  // The least median of this shape's trials so far.
  std::optional<double> best_us(Shape shape) const;
  void add(const Json& trial);
  const Trials& trials() const { return trials_; }

 private:
  void append(const Json& line);

  std::string path_;
  Trials trials_;
  std::ofstream stream_;
};

// The shape that a trial is of.
Shape trial_shape(const Json& trial);
// The time that ranks it; none where it was not timed, or not right.
std::optional<double> trial_median_us(const Json& trial);

}  // namespace tilewright
