// SPDX-License-Identifier: MIT
//
// tilewright multiply: the product of two .npy matrices, by the GPU, the CPU's BLAS or the emulator.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "cli/app.h"
#include "cli/auto_choice.h"
#include "cli/kernel_choice.h"
#include "cli/npy.h"
#include "cli/record_file.h"
#include "core/error.h"
#include "device/cpu_device.h"
#include "device/emulator_device.h"
#include "device/gpu_device.h"
#include "gemm/launch_plan.h"
#include "judge/contract.h"
#include "judge/outcome.h"

namespace tilewright {
namespace {

struct MultiplyOptions {
  std::string A, B, out, kernel = "auto", device = "auto", record;
  bool verify = false;
  EmulatorChoice emulator;
  AutoChoice automatic;
};

std::string chosen_device(const MultiplyOptions& options) {
  if (options.device != "auto") return options.device;
  if (gpu_unavailable().empty()) return "gpu";
  return options.kernel == "auto" ? "cpu" : "emulator";
}

// Named, or chosen with a reason.
Chosen chosen_kernel(const App& app, const MultiplyOptions& options, const Device& device,
                     const Catalog& catalog, Shape shape) {
  if (device.name() == "cpu") {
    if (options.kernel != auto_kernel().name && options.kernel != openblas_kernel().name)
      throw bad_input("--kernel", options.kernel, "is a CUDA kernel: it runs on --device gpu or emulator");
    return {openblas_kernel(), {}};
  }
  if (options.kernel != auto_kernel().name) return {catalog.find(options.kernel), {}};
  const Chooser chooser = options.automatic.chooser(app.installation(), catalog, device.environment());
  const Problem problem{shape.M, shape.N, shape.K, chooser.multiprocessors()};
  return chooser.choose(shape, [&](const Rung& rung) { return launch_refusal(device, rung, problem); });
}

std::unique_ptr<Device> make_device(const std::string& name, const Catalog& catalog,
                                    const MultiplyOptions& options) {
  if (name == "cpu") return std::make_unique<CpuDevice>();
  if (name == "emulator") return std::make_unique<EmulatorDevice>(catalog, options.emulator.settings(1));
  return make_gpu_device({});
}

struct Multiplied {
  std::string device, kernel;
  Choice choice;  // empty where the kernel was named
  Shape shape{};
  double seconds = 0;
  Product product;
  std::optional<AnyJudgement> judgement;
  Verdict verdict;  // of findings, and of values when they were judged
  Environment environment;
};

Json multiply_record(const MultiplyOptions& options, const Multiplied& done, bool written) {
  const RunOrigin origin = run_origin();
  Json json{{"schema", record_schema},
            {"record", "multiply"},
            {"revision", origin.revision},
            {"dirty", origin.dirty},
            {"started", origin.started},
            {"device", done.device},
            {"kernel", done.kernel},
            {"choice", done.choice.rung.empty() ? Json(nullptr) : to_json(done.choice)},
            {"contract", "library"},
            {"precision", "fp32"},
            {"operands", {options.A, options.B}},
            {"shape", shape_json(done.shape)},
            {"seconds", done.seconds},
            {"output", written ? Json(options.out) : Json(nullptr)},
            {"verified", done.judgement.has_value()}};
  const bool known = done.judgement || done.verdict.kind != Verdict::Kind::pass;
  json["verdict"] = known ? Json(done.verdict.text()) : Json(nullptr);
  json["findings_total"] = done.product.findings_total;
  json["findings"] = Json::array();
  for (const Finding& finding : done.product.findings) json["findings"].push_back(to_json(finding));
  if (done.judgement) json["judgement"] = to_json(*done.judgement);
  for (const auto& [key, value] : done.environment) json["environment"][key] = value;
  return json;
}

void print_judgement(const Multiplied& done) {
  if (!done.judgement) return fmt::print("not verified (--verify judges it in float64)\n");
  const std::optional<Judgement>& ordinary = done.judgement->ordinary;
  if (ordinary && ordinary->bitwise)
    fmt::print("verified in float64, bit for bit (all sums are exact): {}\n", done.verdict.text());
  else if (ordinary)
    fmt::print("verified in float64: {}; max r {} (limit {}), rms r {}, max abs error {}\n",
               done.verdict.text(), short_number(ordinary->max_r), max_r_limit, short_number(ordinary->rms_r),
               short_number(ordinary->max_abs_error));
  else
    fmt::print("verified: {}; no element is an ordinary number\n", done.verdict.text());
  if (done.judgement->special > 0)
    fmt::print("NaN or infinite, as IEEE 754 says: {} elements, {} wrong\n",
               with_commas(done.judgement->special), with_commas(done.judgement->special_wrong));
  if (done.judgement->undetermined > 0)
    fmt::print("not judged, since their sums reach what float32 holds: {} elements\n",
               with_commas(done.judgement->undetermined));
}

void report(App& app, const MultiplyOptions& options, const Multiplied& done, bool written) {
  const Json record = multiply_record(options, done, written);
  RecordFile file(options.record);
  file.add(record);
  file.finish();
  if (app.json) return print_json(record);
  fmt::print("{} by {} on {}, {:.3g} s with copies\n", to_string(done.shape), done.kernel, done.device,
             done.seconds);
  if (!done.choice.rung.empty()) fmt::print("auto chose {}: {}\n", done.choice.rung, done.choice.reason);
  for (const Finding& finding : done.product.findings) fmt::print("  {}\n", finding.message);
  print_judgement(done);
  if (written)
    fmt::print("wrote {}\n", options.out);
  else
    fmt::print("{} was not written\n", options.out);
}

void multiply_files(App& app, const MultiplyOptions& options) {
  const Matrix A = read_npy(options.A);
  const Matrix B = read_npy(options.B);
  require_library_inputs(A, B);
  // Said before the work rather than after it.
  const std::filesystem::path folder = std::filesystem::path(options.out).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw bad_input("cannot write", options.out, "No such file or directory");
  Multiplied done;
  done.shape = {A.rows, B.columns, A.columns};
  Catalog catalog;
  catalog.load_folder(app.installation().rungs());
  const std::unique_ptr<Device> device = make_device(chosen_device(options), catalog, options);
  const Chosen chosen = chosen_kernel(app, options, *device, catalog, done.shape);
  done.choice = chosen.choice;
  done.device = device->name();
  done.environment = device->environment();
  done.kernel = chosen.rung.name;
  const auto start = std::chrono::steady_clock::now();
  done.product = multiply(*device, chosen.rung, A, B);
  done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  done.verdict = verdict_of(done.product.findings);
  if (options.verify) {
    done.judgement = judge_any(A, B, done.product.C);
    if (done.verdict.kind == Verdict::Kind::pass && !done.judgement->pass())
      done.verdict = {Verdict::Kind::fail, done.judgement->failure()};
  }
  const bool good = done.verdict.kind == Verdict::Kind::pass;
  if (good) {
    Matrix C(done.shape.M, done.shape.N);
    C.values = std::move(done.product.C);
    write_npy(options.out, C);
  }
  report(app, options, done, good);
  if (!good) app.status = exit_verdict;
}

}  // namespace

void add_multiply(App& app) {
  CLI::App* command = app.cli().add_subcommand("multiply", "multiply two .npy matrices of float32");
  auto options = std::make_shared<MultiplyOptions>();
  command->add_option("A", options->A, "M x K, float32, C order")->required();
  command->add_option("B", options->B, "K x N")->required();
  command->add_option("-o,--output", options->out, "where C goes, M x N; written whole or not at all")
      ->required();
  command
      ->add_option("--kernel", options->kernel,
                   "auto (`tilewright explain`), or a rung (`tilewright ladder`)")
      ->capture_default_str();
  command->add_option("--device", options->device, "auto, gpu, cpu (OpenBLAS) or emulator")
      ->check(CLI::IsMember({"auto", "gpu", "cpu", "emulator"}))
      ->capture_default_str();
  command->add_flag("--verify", options->verify, "judge every element against a float64 product");
  command->add_option("--record", options->record,
                      "write the record of this product to this JSON Lines file");
  options->emulator.add_options(*command);
  options->automatic.add_options(*command);
  command->footer(
      "Examples:\n"
      "  tilewright multiply A.npy B.npy -o C.npy --verify\n"
      "  tilewright multiply A.npy B.npy -o C.npy --kernel shared_tile_16 --device emulator --json");
  command->callback([&app, options] { multiply_files(app, *options); });
}

}  // namespace tilewright
