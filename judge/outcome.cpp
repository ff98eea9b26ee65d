// SPDX-License-Identifier: MIT
#include "judge/outcome.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "core/error.h"

namespace tilewright {
namespace {

Verdict verdict_of(const Outcome& outcome) {
  using Kind = Verdict::Kind;
  if (Verdict found = verdict_of(outcome.product.findings); found.kind != Kind::pass) return found;
  if (!outcome.judgement->pass) return {Kind::fail, outcome.judgement->failure};
  if (outcome.predicted && !counts_match(*outcome.product.counts, *outcome.predicted))
    return {Kind::fail, "counts_differ_from_prediction"};
  if (outcome.differing_launches > 0) return {Kind::fail, "differs_between_launches"};
  return {Kind::pass, ""};
}

// Sentinels are NaNs, so that bits are compared and not values.
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

std::string Verdict::text() const {
  switch (kind) {
    case Kind::pass:
      return "PASS";
    case Kind::fail:
      return "FAIL(" + detail + ")";
    case Kind::unsupported:
      return "UNSUPPORTED(" + detail + ")";
    case Kind::rejected:
      return "REJECTED(" + detail + ")";
    case Kind::unavailable:
      return "UNAVAILABLE(" + detail + ")";
  }
  return "";
}

Verdict verdict_of(const std::vector<Finding>& findings) {
  if (findings.empty()) return {};
  // A race explains a wrong value, a wrong value does not explain a race: the kinds are declared in that
  // order.
  const auto first = std::min_element(findings.begin(), findings.end(),
                                      [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
  return {Verdict::Kind::fail, std::string(name_of(first->kind))};
}

bool counts_match(const Counts& counts, const PredictedCounts& predicted) {
  return counts.global_reads.elements == predicted.global_reads &&
         counts.global_writes.elements == predicted.global_writes &&
         counts.shared_reads.elements == predicted.shared_reads &&
         counts.shared_writes.elements == predicted.shared_writes;
}

Outcome run_and_judge(Device& device, const Rung& rung, const Matrix& A, const Matrix& B,
                      const Reference& reference, int launches) {
  Outcome outcome;
  outcome.launches = launches;
  try {
    const std::unique_ptr<Placement> placement = device.place(A, B);
    outcome.product = launch_once(*placement, rung);
    for (int launch = 1; launch < launches; ++launch)
      if (!same_bits(launch_once(*placement, rung).C, outcome.product.C)) ++outcome.differing_launches;
  } catch (const Error& error) {
    outcome.error = error.what();
    if (error.code == Code::unsupported)
      outcome.verdict = {Verdict::Kind::unsupported, error.rule};
    else if (error.code == Code::fault)
      outcome.verdict = {Verdict::Kind::fail, "fault"};
    else
      throw;
    return outcome;
  }
  outcome.judgement = judge(reference, outcome.product.C, outcome.product.computed);
  if (outcome.product.counts && rung.predict != nullptr)
    outcome.predicted = rung.predict(problem_of({A.rows, B.columns, A.columns}, device.multiprocessors()));
  outcome.verdict = verdict_of(outcome);
  return outcome;
}

}  // namespace tilewright
