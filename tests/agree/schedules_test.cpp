// SPDX-License-Identifier: MIT
//
// What a rung accesses and computes does not depend on the order of its threads and blocks, nor on how many
// workers run them: counts, counts of every line, and every bit of the result, unless its blocks add to C.
#include <bit>
#include <cstring>

#include "tests/agree/agreement.h"

namespace tilewright {
namespace {

struct Schedule {
  std::string name;
  EmulatorSettings settings;
};

// Every order of threads, three shuffles among them, under every order of blocks, with one worker, two and
// three.
std::vector<Schedule> schedules() {
  std::vector<Schedule> all;
  const std::pair<Order, std::uint64_t> orders[] = {{Order::forward, 1},
                                                    {Order::reversed, 1},
                                                    {Order::shuffled, 1},
                                                    {Order::shuffled, 2},
                                                    {Order::shuffled, 3}};
  for (const auto& [threads, seed] : orders)
    for (const Order blocks : {Order::forward, Order::reversed, Order::shuffled})
      for (const int workers : {1, 2, 3})
        all.push_back({"threads " + std::to_string(int(threads)) + ", blocks " + std::to_string(int(blocks)) +
                           ", seed " + std::to_string(seed) + ", workers " + std::to_string(workers),
                       {.thread_order = threads, .block_order = blocks, .seed = seed, .workers = workers}});
  return all;
}

std::string text_of(const std::vector<LineCount>& lines) {
  std::string text;
  for (const LineCount& line : lines)
    text += line.file + ":" + std::to_string(line.line) + " " + std::string(line.space) + " " +
            std::string(line.op) + " " + std::to_string(line.count.accesses) + " " +
            std::to_string(line.count.elements) + "\n";
  return text;
}

class Schedules : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, Schedules, testing::ValuesIn(rung_names()),
                         [](const auto& rung) { return rung.param; });

TEST_P(Schedules, MakeNoDifference) {
  const Rung& rung = ladder().find(GetParam());
  const Family& family = find_family("uniform");
  // R6's shape, several blocks in both dimensions and several phases for every tile, and fewer blocks than
  // workers.
  std::vector<Shape> shapes{{17, 19, 23}, {70, 67, 37}, {5, 7, 40}};
  if (rung.grid != nullptr) shapes = {{17, 19, 23}, {130, 5, 400}};  // several blocks share a tile
  for (const Shape shape : shapes) {
    EmulatorDevice first(ladder(), {.workers = 1});
    const Outcome expected = run(first, rung, shape, family);
    ASSERT_EQ(disagreement(rung, shape, family, expected), "");
    for (const Schedule& schedule : schedules()) {
      SCOPED_TRACE(to_string(shape) + ", " + schedule.name);
      EmulatorDevice device(ladder(), schedule.settings);
      const Outcome outcome = run(device, rung, shape, family);
      EXPECT_EQ(disagreement(rung, shape, family, outcome), "");
      EXPECT_EQ(text_of(outcome.product.lines), text_of(expected.product.lines));
      ASSERT_EQ(outcome.product.C.size(), expected.product.C.size());
      if (rung.adds_to_output) continue;
      EXPECT_EQ(std::memcmp(outcome.product.C.data(), expected.product.C.data(),
                            expected.product.C.size() * sizeof(float)),
                0)
          << "the result differs";
    }
  }
}

}  // namespace
}  // namespace tilewright
