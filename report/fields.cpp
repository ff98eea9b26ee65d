// SPDX-License-Identifier: MIT
#include "report/fields.h"

#include <cmath>

namespace tilewright {
namespace {

constexpr std::size_t longest_shown = 60;

// The value as a message shows it; a long one is cut.
std::string shown(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= longest_shown ? text : text.substr(0, longest_shown) + "…";
}

bool is_finite_number(const Json& value) { return value.is_number() && std::isfinite(value.get<double>()); }

}  // namespace

Error Fields::refusal(const std::string& key, const std::string& rule) const {
  const std::string value = json_->is_object() && json_->contains(key) ? shown((*json_)[key]) : "missing";
  return bad_input(
      "record file", place_.file,
      "line " + std::to_string(place_.line) + ": " + above_ + key + " " + rule + "; it is " + value);
}

const Json& Fields::at(const std::string& key) const {
  if (!json_->is_object() || !json_->contains(key)) throw refusal(key, "must be there");
  return (*json_)[key];
}

const Json& Fields::array(const std::string& key) const {
  const Json& value = at(key);
  if (!value.is_array()) throw refusal(key, "must be a list");
  return value;
}

std::string Fields::text(const std::string& key) const {
  const Json& value = at(key);
  if (!value.is_string()) throw refusal(key, "must be a text");
  return value.get<std::string>();
}

std::string Fields::text_or(const std::string& key, const std::string& fallback) const {
  return has(key) ? text(key) : fallback;
}

bool Fields::flag(const std::string& key) const {
  const Json& value = at(key);
  if (!value.is_boolean()) throw refusal(key, "must be true or false");
  return value.get<bool>();
}

std::int64_t Fields::count(const std::string& key) const {
  const Json& value = at(key);
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
    throw refusal(key, "must be an integer of at least 0");
  return value.get<std::int64_t>();
}

double Fields::number(const std::string& key) const {
  const Json& value = at(key);
  if (!is_finite_number(value)) throw refusal(key, "must be a finite number");
  return value.get<double>();
}

std::optional<double> Fields::maybe_number(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  return number(key);
}

std::vector<double> Fields::numbers(const std::string& key) const {
  const Json& list = array(key);
  for (const Json& value : list)
    if (!is_finite_number(value)) throw refusal(key, "must be a list of finite numbers");
  return list.get<std::vector<double>>();
}

std::vector<double> Fields::times(const std::string& key) const {
  std::vector<double> values = numbers(key);
  if (values.empty()) throw refusal(key, "must hold a sample");
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] > 0))
      throw refusal(key, "must be a list of times above 0, and [" + std::to_string(i) + "] is " +
                             Json(values[i]).dump());
  return values;
}

Shape Fields::shape(const std::string& key) const {
  const Json& list = array(key);
  bool holds = list.size() == 3;
  for (const Json& extent : list)
    holds = holds && extent.is_number_integer() && extent.get<std::int64_t>() >= 1;
  if (!holds) throw refusal(key, "must be [M, N, K], integers of at least 1");
  return {list[0], list[1], list[2]};
}

std::vector<std::string> Fields::texts(const std::string& key) const {
  const Json& list = array(key);
  for (const Json& value : list)
    if (!value.is_string()) throw refusal(key, "must be a list of texts");
  return list.get<std::vector<std::string>>();
}

Fields Fields::object(const std::string& key) const {
  const Json& value = at(key);
  if (!value.is_object()) throw refusal(key, "must be an object");
  return {value, place_, above_ + key + "."};
}

std::vector<Fields> Fields::objects(const std::string& key) const {
  const Json& list = array(key);
  std::vector<Fields> all;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_object()) throw refusal(key, "must be a list of objects");
    all.push_back({list[i], place_, above_ + key + "[" + std::to_string(i) + "]."});
  }
  return all;
}

}  // namespace tilewright
