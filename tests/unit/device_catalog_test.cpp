// SPDX-License-Identifier: MIT
//
// device/catalog.h over the rungs as they were built: the ladder's order, each rung's own module, and the
// nearest name for one that is not there.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/process.h"
#include "device/catalog.h"
#include "device/device.h"
#include "tests/unit/error_of.h"

namespace tilewright {
namespace {

class DeviceCatalog : public testing::Test {
 protected:
  void SetUp() override { catalog_.load_folder(TILEWRIGHT_LIB_DIR "/rungs"); }
  Catalog catalog_;
};

TEST_F(DeviceCatalog, IsTheLadderInItsOrder) {
  std::vector<std::string> names, sources;
  for (const Rung& rung : catalog_.rungs()) {
    names.emplace_back(rung.name);
    sources.emplace_back(rung.source);
  }
  EXPECT_TRUE(std::is_sorted(sources.begin(), sources.end()));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size())
      << "a name is there twice";
  EXPECT_EQ(names, (std::vector<std::string>{"direct_rows",
                                             "direct",
                                             "direct_8",
                                             "direct_16",
                                             "direct_32",
                                             "shared_tile_8",
                                             "shared_tile_16",
                                             "shared_tile_32",
                                             "column_tile",
                                             "register_tile",
                                             "vector_load",
                                             "conflict_free",
                                             "warp_tile",
                                             "register_double_buffer",
                                             "async_copy",
                                             "wide_tile",
                                             "split_k",
                                             "split_k_atomic",
                                             "packed",
                                             "persistent",
                                             "stream_k_128",
                                             "stream_k_64",
                                             "sliced_k",
                                             "few_rows_16",
                                             "few_rows_1",
                                             "few_rows_1_narrow",
                                             "dot_rows",
                                             "tensor_copy",
                                             "shared_slices_256x128",
                                             "shared_slices_128x128",
                                             "shared_slices_64x128",
                                             "shared_slices_64x64",
                                             "shared_slices_32x64",
                                             "paired_slices_32x64",
                                             "paired_slices_64x64",
                                             "queued_rows"}));
}

TEST_F(DeviceCatalog, EachRungIsCompleteAndLaunchable) {
  for (const Rung& rung : catalog_.rungs()) {
    EXPECT_GT(std::string(rung.idea).size(), 20U) << rung.name;
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / rung.source))
        << rung.source;
    EXPECT_NE(entry_of(rung), nullptr) << rung.name;
    EXPECT_NE(rung.predict, nullptr) << rung.name;
    EXPECT_NO_THROW(require_within(cuda_limits("CUDA"), rung, problem_of({4096, 4096, 4096}, 132)))
        << rung.name;
  }
}

TEST_F(DeviceCatalog, DeclaredSharedMemoryIsWhatTheModuleUsesAtMost) {
  for (const Rung& rung : catalog_.rungs())
    EXPECT_LE(static_cast<std::uint64_t>(rung.static_shared_bytes),
              catalog_.module_of(rung).shared_memory().bytes)
        << rung.name;
}

TEST_F(DeviceCatalog, FindsByTheExactName) {
  EXPECT_STREQ(catalog_.find("shared_tile_16").name, "shared_tile_16");
  EXPECT_EQ(catalog_.find("shared_tile_16").tile.BM, 16);
  EXPECT_EQ(catalog_.module_of(catalog_.find("direct_8")).path(),
            catalog_.module_of(catalog_.find("direct_32")).path());
  EXPECT_NE(catalog_.module_of(catalog_.find("direct")).path(),
            catalog_.module_of(catalog_.find("direct_rows")).path());
}

TEST_F(DeviceCatalog, SuggestsTheNearest) {
  for (const auto& [typed, meant] : {std::pair{"shared_tile16", "shared_tile_16"},
                                     {"drect", "direct"},
                                     {"direct-rows", "direct_rows"},
                                     {"sharedtile_32", "shared_tile_32"},
                                     {"Direct", "direct"},
                                     {"shared_tile_64", "shared_tile_"}})
    expect_error(
        [&] { catalog_.find(typed); }, Code::bad_input,
        {"kernel '" + std::string(typed) + "'", "did you mean " + std::string(meant), "tilewright ladder"});
}

TEST_F(DeviceCatalog, AKernelFromElsewhereIsNotInIt) {
  Rung stranger = catalog_.find("direct");
  stranger.kernel = nullptr;
  expect_error([&] { catalog_.module_of(stranger); }, Code::bad_input, {"direct", "not in the catalog"});
}

TEST(DeviceCatalogFolder, WithoutModulesIsAnIncompleteInstallation) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder.file("none"), folder.file("")}) {
    Catalog catalog;
    expect_error([&] { catalog.load_folder(path); }, Code::unavailable, {path, "holds no kernel modules"});
  }
}

}  // namespace
}  // namespace tilewright
