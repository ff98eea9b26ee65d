// SPDX-License-Identifier: MIT
//
// The keys of one record, read strictly: what is missing or of another type is refused with the file, the line and the
// key. Nothing is converted, and no number is anything but finite.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/shape.h"
#include "judge/record.h"

namespace tilewright {

struct Place {
  std::string file;
  std::size_t line = 0;  // from 1
};

class Fields {
 public:
  Fields(const Json& record, Place place) : Fields(record, std::move(place), "") {}

  bool has(const std::string& key) const { return json_->contains(key) && !(*json_)[key].is_null(); }
  std::string text(const std::string& key) const;
  std::string text_or(const std::string& key, const std::string& fallback) const;
  bool flag(const std::string& key) const;
  std::int64_t count(const std::string& key) const;  // an integer, not negative
  double number(const std::string& key) const;
  std::optional<double> maybe_number(const std::string& key) const;  // none where it is absent or null
  std::vector<double> numbers(const std::string& key) const;
  std::vector<double> times(const std::string& key) const;  // at least one, each above zero
  Shape shape(const std::string& key = "shape") const;
  std::vector<std::string> texts(const std::string& key) const;
  Fields object(const std::string& key) const;
  std::vector<Fields> objects(const std::string& key) const;  // of an array of objects
  const Json& json() const { return *json_; }
  const Place& place() const { return place_; }

  // What the record breaks, ready to be thrown.
  Error refusal(const std::string& key, const std::string& rule) const;

 private:
  Fields(const Json& record, Place place, std::string above)
      : json_(&record), place_(std::move(place)), above_(std::move(above)) {}
  const Json& at(const std::string& key) const;
  const Json& array(const std::string& key) const;

  const Json* json_;
  Place place_;
  std::string above_;  // the keys that lead here, each with its dot
};

}  // namespace tilewright
