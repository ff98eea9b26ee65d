// SPDX-License-Identifier: MIT
//
// tilewright model: closed forms, from the shell. Every answer says that it is a model and what it assumes.
// This file reads arguments; cli/model_answers.cpp and cli/model_block_answers.cpp make the answers.
#include "cli/model.h"

#include <memory>

#include "core/error.h"
#include "core/shape.h"

namespace tilewright {
namespace {

// What the subcommands take, as typed; each uses its own part.
struct ModelOptions {
  std::string shape, tile, register_tile = "1", mma = "16x8x16", architecture;
  std::string n, on_chip, sms, blocks_per_sm = "1", element_bytes = "4";
  std::string registers, threads, shared_bytes;
  std::string order = "row", group = "8", resident, reduction_step, splits;
  double bandwidth = 0, compute = 0;
};

ProductSize product_of(const std::string& text, const std::string& argument = "MxNxK") {
  const Shape shape = parse_shape(text, argument);
  return {shape.M, shape.N, shape.K};
}

OutputTile tile_of(const std::string& text, const std::string& argument = "--tile") {
  const std::vector<std::int64_t> extents = parse_extents(text, 2, argument);
  return {extents.front(), extents.back()};
}

std::int64_t integer_of(const std::string& text, const std::string& argument) {
  return parse_extents(text, 1, argument).front();
}

// A block may use no shared memory at all; every other size is at least 1.
std::int64_t integer_or_zero_of(const std::string& text, const std::string& argument) {
  return text == "0" ? 0 : integer_of(text, argument);
}

MmaShape mma_of(const std::string& text) {
  const ProductSize fragment = product_of(text, "--mma");
  return {fragment.M, fragment.N, fragment.K};
}

BlockOrder order_of(const std::string& text) {
  if (text == "row") return BlockOrder::row;
  if (text == "grouped") return BlockOrder::grouped;
  if (text == "hilbert") return BlockOrder::hilbert;
  throw bad_input("--order", text, "must be row, grouped or hilbert");
}

ProductSize roofline_product(const ModelOptions& options) {
  if (options.n.empty() == options.shape.empty())
    throw bad_input("--n or --shape", "", "exactly one of them gives the size");
  if (!options.shape.empty()) return product_of(options.shape, "--shape");
  const std::int64_t N = integer_of(options.n, "--n");
  return {N, N, N};
}

using Options = std::shared_ptr<ModelOptions>;

// One subcommand: its options are added by `add`, and `answer` turns them into what is printed.
template <class Add, class Answer>
void add_question(App& app, CLI::App& model, const char* name, const char* summary, const char* examples,
                  Add add, Answer answer) {
  CLI::App* command = model.add_subcommand(name, summary);
  auto options = std::make_shared<ModelOptions>();
  add(*command, *options);
  command->footer(std::string("Examples:\n") + examples);
  command->callback([&app, options, answer] { print_answer(app, answer(*options)); });
}

void add_shape(CLI::App& command, ModelOptions& options) {
  command.add_option("MxNxK", options.shape, "the product, such as 17x19x23")->required();
}

void add_traffic_questions(App& app, CLI::App& model) {
  add_question(
      app, model, "traffic", "element loads of A and B: naive, tiled, minimum",
      "  tilewright model traffic 4096x4096x4096 --tile 32\n"
      "  tilewright model traffic 4096x4096x4096 --tile 128x256 --element-bytes 2 --json",
      [](CLI::App& command, ModelOptions& options) {
        add_shape(command, options);
        command.add_option("--tile", options.tile, "tile of C: b, or BMxBN")->required();
        command.add_option("--element-bytes", options.element_bytes, "of A and B")->capture_default_str();
      },
      [](const ModelOptions& options) {
        return traffic_answer(product_of(options.shape), tile_of(options.tile),
                              integer_of(options.element_bytes, "--element-bytes"));
      });
  add_question(
      app, model, "tiled", "reads of the shared-tile kernel with b x b x b tiles",
      "  tilewright model tiled 17x19x23 --tile 16\n  tilewright model tiled 80x80x80 --tile 16 --json",
      [](CLI::App& command, ModelOptions& options) {
        add_shape(command, options);
        command.add_option("--tile", options.tile, "b")->required();
      },
      [](const ModelOptions& options) {
        return tiled_answer(product_of(options.shape), integer_of(options.tile, "--tile"));
      });
  add_question(
      app, model, "two-level", "reads with register tiles t x t inside shared tiles b x b x b",
      "  tilewright model two-level 80x80x80 --tile 32 --register 8\n"
      "  tilewright model two-level 17x19x23 --tile 16 --register 4 --json",
      [](CLI::App& command, ModelOptions& options) {
        add_shape(command, options);
        command.add_option("--tile", options.tile, "b")->required();
        command.add_option("--register", options.register_tile, "t, which divides b")->required();
      },
      [](const ModelOptions& options) {
        return two_level_answer(product_of(options.shape), integer_of(options.tile, "--tile"),
                                integer_of(options.register_tile, "--register"));
      });
}

void add_limit_questions(App& app, CLI::App& model) {
  add_question(
      app, model, "roofline", "the least time that FLOP and bytes allow",
      "  tilewright model roofline --n 1024 --tile 16 --bandwidth 1000 --compute 60\n"
      "  tilewright model roofline --shape 4096x512x64 --tile 1 --bandwidth 4800 --compute 67 --json",
      [](CLI::App& command, ModelOptions& options) {
        command.add_option("--n", options.n, "a square product NxNxN");
        command.add_option("--shape", options.shape, "or any MxNxK");
        command.add_option("--tile", options.tile, "T; 1 is the direct load")->required();
        command.add_option("--bandwidth", options.bandwidth, "in GB/s, decimal")->required();
        command.add_option("--compute", options.compute, "in TFLOP/s, of the unit the kernel uses")
            ->required();
        command.add_option("--element-bytes", options.element_bytes, "of A, B and C")->capture_default_str();
      },
      [](const ModelOptions& options) {
        return roofline_answer(roofline_product(options), integer_of(options.tile, "--tile"),
                               {options.bandwidth, options.compute},
                               integer_of(options.element_bytes, "--element-bytes"));
      });
  add_question(
      app, model, "bound", "what any order of the multiply-adds must move with S elements on chip",
      "  tilewright model bound 4096x4096x4096 --on-chip 49152\n"
      "  tilewright model bound 17x19x23 --on-chip 768 --json",
      [](CLI::App& command, ModelOptions& options) {
        add_shape(command, options);
        command.add_option("--on-chip", options.on_chip, "S, in elements, at least 3")->required();
      },
      [](const ModelOptions& options) {
        return bound_answer(product_of(options.shape), integer_of(options.on_chip, "--on-chip"));
      });
}

void add_block_questions(App& app, CLI::App& model) {
  add_question(
      app, model, "mma", "matrix instructions and how much of their work is the product's",
      "  tilewright model mma 17x8x16\n  tilewright model mma 4096x4096x4096 --mma 64x256x16 --json",
      [](CLI::App& command, ModelOptions& options) {
        add_shape(command, options);
        command.add_option("--mma", options.mma, "one instruction, mxnxk")->capture_default_str();
      },
      [](const ModelOptions& options) { return mma_answer(product_of(options.shape), mma_of(options.mma)); });
  add_question(
      app, model, "waves", "tiles over SMs: waves, and how full the last one is",
      "  tilewright model waves 4096x4096x4096 --tile 128x128 --sms 132\n"
      "  tilewright model waves 1000x1000x1000 --tile 64 --sms 108 --blocks-per-sm 2 --json",
      [](CLI::App& command, ModelOptions& options) {
        add_shape(command, options);
        command.add_option("--tile", options.tile, "tile of C: b, or BMxBN")->required();
        command.add_option("--sms", options.sms, "SMs of the GPU, such as 132")->required();
        command.add_option("--blocks-per-sm", options.blocks_per_sm, "resident at a time")
            ->capture_default_str();
      },
      [](const ModelOptions& options) {
        return waves_answer(product_of(options.shape), tile_of(options.tile),
                            integer_of(options.sms, "--sms"),
                            integer_of(options.blocks_per_sm, "--blocks-per-sm"));
      });
  add_question(
      app, model, "occupancy", "blocks an SM holds, and which resource stops the next one",
      "  tilewright model occupancy --registers 32 --threads 256 --shared-bytes 2048 --arch sm_90\n"
      "  tilewright model occupancy --registers 168 --threads 128 --shared-bytes 65536 --arch sm_86 --json",
      [](CLI::App& command, ModelOptions& options) {
        command.add_option("--registers", options.registers, "of one thread")->required();
        command.add_option("--threads", options.threads, "of one block")->required();
        command.add_option("--shared-bytes", options.shared_bytes, "of one block, static and dynamic")
            ->required();
        command.add_option("--arch", options.architecture, "sm_80, sm_86, sm_89 or sm_90")->required();
      },
      [](const ModelOptions& options) {
        return occupancy_answer(
            find_architecture(options.architecture),
            {integer_of(options.registers, "--registers"), integer_of(options.threads, "--threads"),
             integer_or_zero_of(options.shared_bytes, "--shared-bytes")});
      });
  add_question(
      app, model, "phases", "the trace on paper: each block and phase of the shared-tile kernel",
      "  tilewright model phases 17x19x23 --tile 16\n  tilewright model phases 5x5x40 --tile 8 --json",
      [](CLI::App& command, ModelOptions& options) {
        add_shape(command, options);
        command.add_option("--tile", options.tile, "T, at most 32")->required();
      },
      [](const ModelOptions& options) {
        return phases_answer(product_of(options.shape), integer_of(options.tile, "--tile"));
      });
}

void add_order_questions(App& app, CLI::App& model) {
  add_question(
      app, model, "order", "loads behind the L2 when blocks run in an order, so many at a time",
      "  tilewright model order 4096x4096x4096 --tile 128 --resident 132\n"
      "  tilewright model order 4096x4096x4096 --tile 128 --resident 132 --order hilbert --json",
      [](CLI::App& command, ModelOptions& options) {
        add_shape(command, options);
        command.add_option("--tile", options.tile, "tile of C: b, or BMxBN")->required();
        command.add_option("--resident", options.resident, "blocks that run at a time")->required();
        command.add_option("--order", options.order, "row, grouped or hilbert")->capture_default_str();
        command.add_option("--group", options.group, "tile rows of a group")->capture_default_str();
      },
      [](const ModelOptions& options) {
        return order_answer(product_of(options.shape), tile_of(options.tile), order_of(options.order),
                            integer_of(options.group, "--group"), integer_of(options.resident, "--resident"));
      });
  add_question(
      app, model, "split-k", "cutting each tile's reduction into parts",
      "  tilewright model split-k 128x128x8192 --tile 128 --step 32 --splits 8\n"
      "  tilewright model split-k 17x19x23 --tile 16 --step 16 --splits 2 --json",
      [](CLI::App& command, ModelOptions& options) {
        add_shape(command, options);
        command.add_option("--tile", options.tile, "tile of C: b, or BMxBN")->required();
        command.add_option("--step", options.reduction_step, "BK")->required();
        command.add_option("--splits", options.splits, "parts of the reduction")->required();
      },
      [](const ModelOptions& options) {
        return split_k_answer(product_of(options.shape), tile_of(options.tile),
                              integer_of(options.reduction_step, "--step"),
                              integer_of(options.splits, "--splits"));
      });
}

}  // namespace

void add_model(App& app) {
  CLI::App* model = app.cli().add_subcommand("model",
                                             "exact models: traffic, bounds, roofline, MMA counts, waves, "
                                             "occupancy, block order, split-K, the paper trace");
  model->require_subcommand(1);
  model->footer(
      "Examples:\n"
      "  tilewright model traffic --help\n"
      "  tilewright model mma 17x8x16\n"
      "  tilewright model mma 17x8x16 --json\n\n"
      "A model is a prediction from closed forms, never a measurement; each answer lists its assumptions.");
  add_traffic_questions(app, *model);
  add_limit_questions(app, *model);
  add_block_questions(app, *model);
  add_order_questions(app, *model);
}

}  // namespace tilewright
