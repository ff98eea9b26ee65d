// SPDX-License-Identifier: MIT
#include "emulator/run/bulk_text.h"

namespace tilewright {
namespace {

std::string state_of_phase(const Event& event) {
  return std::to_string(event.missing_arrivals) + " arrivals are missing, " +
         std::to_string(event.expected_bytes) + " bytes are expected and " +
         std::to_string(event.copied_bytes) + " are copied";
}

}  // namespace

bool is_about_barrier(BulkTrouble trouble) { return trouble >= BulkTrouble::not_initialized; }

std::string text_of(const Event& event, const BulkParties& parties) {
  const auto& [who, element, other] = parties;
  switch (event.bulk) {
    case BulkTrouble::none:
      break;
    case BulkTrouble::copy_not_waited_for:
      return who + (event.write ? " writes " : " reads ") + element + ", where a bulk copy of " + other +
             " writes; it has not waited for the copy's phase";
    case BulkTrouble::store_without_proxy_fence:
      return who + " copies to " + element + ", where " + other + " stored, with no proxy fence between them";
    case BulkTrouble::misaligned:
      return who + " copies " + std::to_string(event.bytes) + (event.write ? " bytes to " : " bytes from ") +
             element + "; both addresses and the bytes of a bulk copy are multiples of 16";
    case BulkTrouble::misaligned_box:
      return who + " copies a box of a tensor to " + element +
             "; its place begins at a multiple of 128 bytes";
    case BulkTrouble::box_rows_in_pieces:
      return who + " copies a box of a tensor, with rows of " + std::to_string(event.bytes) + " bytes, to " +
             element + "; a box's rows are multiples of 16 bytes";
    case BulkTrouble::box_between_units:
      return who + " copies a box of a tensor, which begins in column " + std::to_string(event.detail) +
             ", to " + element + "; a box begins at a multiple of 16 bytes of its rows";
    case BulkTrouble::not_initialized:
      if (!event.other) return who + " uses the barrier " + element + ", which no thread has initialized yet";
      return who + " uses the barrier " + element + ", initialized by " + other +
             ", without bulk_barrier_fence and then __syncthreads between them";
    case BulkTrouble::initialized_again:
      return who + " initializes the barrier " + element + ", which " + other + " has used already";
    case BulkTrouble::one_arrival_too_many:
      return who + " arrives at the barrier " + element +
             ", whose phase has all its arrivals and has not been waited for";
    case BulkTrouble::phase_without_end:
      return who + " waits at the barrier " + element + " for ever: " + state_of_phase(event) +
             "; the last to use it was " + other;
    case BulkTrouble::in_flight_at_end:
      return who +
             " has started a bulk copy that nobody has waited for when the block ends, at the barrier " +
             element;
  }
  return who;
}

}  // namespace tilewright
