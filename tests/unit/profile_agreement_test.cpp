// SPDX-License-Identifier: MIT
//
// The word for each pair of numbers: what is equal, what the machine code's widths explain, and that everything else is
// different. And counting machine code instructions by width.
#include "cli/profile_agreement.h"

#include <fstream>
#include <iterator>
#include <map>

#include "cli/profile_sass.h"
#include "device/catalog.h"
#include "device/emulator_device.h"
#include "judge/inputs.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

std::string listing() {
  std::ifstream file(TILEWRIGHT_SOURCE_DIR "/tests/data/ncu/cuobjdump.txt");
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr const char* shared_tile_symbol = "_Z11shared_tileILi32EEvPKfS1_Pfiii";

TEST(ProfileSass, CountsOneFunctionsInstructionsByWidth) {
  const SassCounts sass = count_sass(listing(), shared_tile_symbol, "9.0");
  EXPECT_EQ(sass.arch, "sm_90a");
  EXPECT_EQ(sass.opcodes, (std::map<std::string, int>{{"LDG", 1},
                                                      {"LDG.128", 1},
                                                      {"STS", 1},
                                                      {"BAR", 1},
                                                      {"LDS", 1},
                                                      {"LDS.64", 1},
                                                      {"LDS.128", 1},
                                                      {"FFMA", 1},
                                                      {"STG", 1}}));
  EXPECT_EQ(sass.instructions("LDS"), 3);
  EXPECT_EQ(sass.accesses("LDS"), 7);
  EXPECT_TRUE(sass.merged("LDS"));
  EXPECT_FALSE(sass.merged("STG"));
  EXPECT_EQ(count_sass(listing(), "_Z6directILi32ELi8EEvPKfS1_Pfiii", "9.0").opcodes,
            (std::map<std::string, int>{{"LDG", 1}}));
}

TEST(ProfileSass, RefusesAnotherFunctionAndAnotherArchitecture) {
  expect_error([] { count_sass(listing(), "_Z6direct", "9.0"); }, Code::unavailable,
               {"cuobjdump", "_Z6direct"});
  expect_error([] { count_sass(listing(), shared_tile_symbol, "8.0"); }, Code::unavailable, {"sm_80"});
  expect_error([] { count_sass("", shared_tile_symbol, "9.0"); }, Code::unavailable, {"sm_90"});
}

// What is kept is not read, as long as FFMA follows FFMA and the place is the same; neither are constants, nor a register twice.
TEST(ProfileSass, TellsBanksOfRegistersThatAreReadAnew) {
  const auto reads = [](const std::string& code) {
    return count_sass("code for sm_90a\nFunction : f\n" + code, "f", "9.0").ffma_reads;
  };
  using Reads = std::map<std::string, int>;
  EXPECT_EQ(reads("/*0000*/ FFMA R9, R4, R0, R9 ;\n"), (Reads{{"2+1", 1}}));
  EXPECT_EQ(reads("/*0000*/ FFMA R8, R4, R0, R8 ;\n"), (Reads{{"3+0", 1}}));
  EXPECT_EQ(reads("/*0000*/ FFMA R8, R4, R4, R8 ;\n"), (Reads{{"2+0", 1}}));
  EXPECT_EQ(reads("/*0000*/ FFMA R8, R4, c[0x0][0x210], -R7 ;\n"), (Reads{{"1+1", 1}}));
  EXPECT_EQ(reads("/*0000*/ FFMA.FTZ R8, R4, 1.5, RZ ;\n"), (Reads{{"1+0", 1}}));
  const std::string first = "/*0000*/ FFMA R9, R4.reuse, R0, R9 ;\n",
                    second = "/*0020*/ @!P0 FFMA R8, R4, R1, R8 ;\n";
  EXPECT_EQ(reads(first + second), (Reads{{"2+1", 1}, {"1+1", 1}}));
  EXPECT_EQ(reads(first + "/*0010*/ LDS R3, [R2] ;\n" + second), (Reads{{"2+1", 2}}));
  EXPECT_EQ(reads(first + "/*0020*/ FFMA R8, R1, R4, R8 ;\n"), (Reads{{"2+1", 2}}));  // another place
  EXPECT_EQ(count_sass(listing(), shared_tile_symbol, "9.0").ffma_reads, (Reads{{"2+1", 1}}));
}

// What the loop of shared_tile<32> becomes: for each four k, one 16-byte load of a and four 4-byte loads of b.
const SassCounts merged_sass{"sm_90a", {{"LDG", 2}, {"STG", 1}, {"LDS", 32}, {"LDS.128", 8}, {"FFMA", 32}}};

Prediction prediction() {
  Prediction prediction;
  prediction.global_reads = {.requests = 512, .sectors = 2048};
  prediction.global_writes = {.requests = 128, .sectors = 512};
  prediction.shared_reads = {.requests = 16384, .wavefronts = 16384};
  prediction.multiply_adds = 262144;
  return prediction;
}

std::string status(const std::string& quantity, const std::string& metric, std::optional<double> measured,
                   const SassCounts* sass = &merged_sass) {
  for (const Agreement& agreement : compare(prediction(), {{metric, "", measured}}, sass))
    if (agreement.quantity == quantity) return agreement.status;
  return "no such quantity";
}

const std::string load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
const std::string shared_loads = "smsp__sass_inst_executed_op_shared_ld.sum";
const std::string wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";

TEST(ProfileAgreement, EqualNumbersAreEqualWithoutMachineCode) {
  EXPECT_EQ(status("global_load_requests", load_requests, 512, nullptr), "equal");
  EXPECT_EQ(status("shared_load_requests", shared_loads, 16384, nullptr), "equal");
}

TEST(ProfileAgreement, MergedIsExactlyWhatTheWidthsSay) {
  EXPECT_EQ(status("shared_load_requests", shared_loads, 16384 * 40 / 64), "merged");
  EXPECT_EQ(status("shared_load_requests", shared_loads, 16384 * 40 / 64 + 1), "different");
  EXPECT_EQ(status("shared_load_requests", shared_loads, 16384 * 40 / 64 - 1), "different");
  EXPECT_EQ(status("shared_load_requests", shared_loads, 16384 * 40 / 64, nullptr), "different");
}

// 16384 accesses of two kernels' sources, of which nobody knows how many are the first one's.
TEST(ProfileAgreement, MergedOfTwoKernelsLiesBetweenTheirRatios) {
  const SassCounts narrow{"sm_90a", {{"LDS", 4}}}, elsewhere{"sm_90a", {{"LDG", 4}}};
  const auto judged = [&](double measured, const SassCounts& first) {
    for (const Agreement& agreement :
         compare(prediction(), {{shared_loads, "", measured}}, &merged_sass, &first))
      if (agreement.quantity == "shared_load_requests") return agreement.status;
    return std::string("no such quantity");
  };
  EXPECT_EQ(judged(16384, narrow), "equal");
  EXPECT_EQ(judged(12000, narrow), "merged");
  EXPECT_EQ(judged(10240, narrow), "merged");
  EXPECT_EQ(judged(10239, narrow), "different");
  EXPECT_EQ(judged(16385, narrow), "different");
  EXPECT_EQ(judged(10240, elsewhere), "merged");
  EXPECT_EQ(judged(12000, elsewhere), "different") << "the first kernel reads no shared memory";
}

TEST(ProfileAgreement, AWideAccessHasOnePartAtLeastAndAtMostAsManyAsItMerged) {
  EXPECT_EQ(status("shared_load_wavefronts", wavefronts, 10240), "merged");
  EXPECT_EQ(status("shared_load_wavefronts", wavefronts, 12000), "merged");
  EXPECT_EQ(status("shared_load_wavefronts", wavefronts, 16384), "equal");
  EXPECT_EQ(status("shared_load_wavefronts", wavefronts, 10239), "different");
  EXPECT_EQ(status("shared_load_wavefronts", wavefronts, 16385), "different");
}

TEST(ProfileAgreement, WhatWasNotMergedMustBeEqual) {
  EXPECT_EQ(status("global_load_requests", load_requests, 511), "different");
  EXPECT_EQ(status("global_load_requests", load_requests, 128), "different");
  EXPECT_EQ(status("multiply_adds", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 262145),
            "different");
  const SassCounts narrow{"sm_90a", {{"LDS", 64}}};
  EXPECT_EQ(status("shared_load_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                   1, &narrow),
            "different");
  EXPECT_EQ(status("local_loads", "smsp__sass_inst_executed_op_local_ld.sum", 1), "different");
}

TEST(ProfileAgreement, ConflictsBeyondTheAddressesAreThePipesOwnWhereItsWavefrontsSaySo) {
  const std::string conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
  const std::string own = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
  const auto judged = [&](double conflict, double of_pipe, double of_instructions) {
    for (const Agreement& agreement : compare(
             prediction(), {{conflicts, "", conflict}, {wavefronts, "", of_pipe}, {own, "", of_instructions}},
             &merged_sass))
      if (agreement.quantity == "shared_load_bank_conflicts") return agreement.status;
    return std::string("no such quantity");
  };
  EXPECT_EQ(judged(97, 16384 + 97, 16384), "arbitrated");
  EXPECT_EQ(judged(0, 16384 + 97, 16384), "equal");
  EXPECT_EQ(judged(98, 16384 + 97, 16384), "different");
  EXPECT_EQ(judged(97, 16384, 16384), "different");  // then the addresses conflict
}

TEST(ProfileAgreement, CopiesByCpAsyncAreLoadsToo) {
  const SassCounts copies{"sm_90a", {{"LDGSTS", 5}}};
  const auto judged = [&](double loads, double asynchronous) {
    for (const Agreement& agreement :
         compare(prediction(),
                 {{load_requests, "", loads},
                  {"l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts.sum", "", asynchronous}},
                 &copies))
      if (agreement.quantity == "global_load_requests") return agreement.status;
    return std::string("no such quantity");
  };
  EXPECT_EQ(judged(0, 512), "equal");
  EXPECT_EQ(judged(12, 500), "equal");
  EXPECT_EQ(judged(0, 513), "masked");
  EXPECT_EQ(judged(0, 511), "different");
}

TEST(ProfileAgreement, WhatIsMissingIsUnavailableAndNotZero) {
  EXPECT_EQ(status("local_loads", "smsp__sass_inst_executed_op_local_ld.sum", std::nullopt),
            "unavailable(ncu has no such metric here)");
  for (const Agreement& agreement : compare(prediction(), {}, &merged_sass)) {
    EXPECT_EQ(agreement.measured, std::nullopt) << agreement.quantity;
    EXPECT_EQ(agreement.status.rfind("unavailable(", 0), 0U) << agreement.quantity;
  }
}

TEST(ProfileAgreement, TheSecondNameOfAMetricCountsWhenTheFirstIsMissing) {
  EXPECT_EQ(status("shared_load_requests", "smsp__inst_executed_op_shared_ld.sum", 10240), "merged");
}

TEST(ProfileAgreement, AMergeNamesItsInstructions) {
  for (const Agreement& agreement : compare(prediction(), {{shared_loads, "inst", 10240}}, &merged_sass))
    EXPECT_EQ(agreement.note, agreement.quantity == "shared_load_requests"
                                  ? "8 LDS.128 + 32 LDS: 40 instructions for 64 accesses of the source"
                                  : "");
}

TEST(ProfileAgreement, SumsTheLinesOfEachKind) {
  const auto line = [](const char* space, const char* op, std::int64_t requests) {
    LineCount count;
    count.space = space;
    count.op = op;
    count.warps.requests = requests;
    return count;
  };
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  const Prediction sum =
      predict_counters(catalog.find("shared_tile_16"), {17, 19, 23},
                       {line("global", "read", 1), line("global", "read", 2), line("global", "write", 4),
                        line("shared", "read", 8), line("shared", "write", 16)});
  EXPECT_EQ(sum.global_reads.requests, 3);
  EXPECT_EQ(sum.global_writes.requests, 4);
  EXPECT_EQ(sum.shared_reads.requests, 8);
  EXPECT_EQ(sum.multiply_adds, 2 * 2 * 2 * 16 * 16 * 16);  // 2 x 2 blocks, 2 phases, all threads
  EXPECT_EQ(executed_multiply_adds(catalog.find("direct"), {17, 19, 23}), 17 * 19 * 23);
  Rung dynamic = catalog.find("shared_tile_16");
  std::swap(dynamic.static_shared_bytes, dynamic.dynamic_shared_bytes);
  EXPECT_EQ(executed_multiply_adds(dynamic, {17, 19, 23}), sum.multiply_adds);
  // Two tiles of 64 x 128 and 8 k more than K has; the edges of 4 rows and 3 columns as they are.
  EXPECT_EQ(executed_multiply_adds(catalog.find("shared_slices_64x128"), {68, 259, 24}),
            2 * 64 * 128 * 32 + (68 * 259 - 64 * 256) * 24);
}

TEST(ProfilePrediction, LeavesOutAtomicsWhichHardwareCountsApart) {
  Catalog catalog;
  catalog.load_folder(TILEWRIGHT_LIB_DIR "/rungs");
  constexpr Shape shape{3, 5, 300};  // one tile, two splits
  EmulatorSettings settings;
  settings.see_warps = true;
  EmulatorDevice device(catalog, settings);
  const Operands in = make_inputs(find_family("ones"), shape, 1);
  const auto predicted = [&](const char* name) {
    const Rung& rung = catalog.find(name);
    return predict_counters(rung, shape, multiply(device, rung, in.A, in.B).lines);
  };
  const Prediction alone = predicted("async_copy"), shared = predicted("split_k"),
                   adding = predicted("split_k_atomic");
  EXPECT_EQ(adding.global_reads.requests, alone.global_reads.requests);
  EXPECT_EQ(adding.global_writes.requests, 0);
  // Row by row of C a quad of four columns and one of one, by lane 0 and lane 1 of the first warp: one request a row and split.
  EXPECT_EQ(shared.global_reads.requests, alone.global_reads.requests + 2 * 3);
  EXPECT_EQ(shared.global_writes.requests, alone.global_writes.requests + 2 * 3);
}

}  // namespace
}  // namespace tilewright
