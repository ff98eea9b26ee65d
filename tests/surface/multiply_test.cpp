// SPDX-License-Identifier: MIT
//
// tilewright multiply: files in, the product out, equal to a float64 product.
#include <cmath>
#include <limits>

#include "judge/inputs.h"
#include "tests/surface/command.h"

namespace tilewright {
namespace {

class SurfaceMultiply : public Command {
 protected:
  // Operands of this shape as files A.npy and B.npy.
  void put_operands(const char* family, Shape shape) {
    operands_ = make_inputs(find_family(family), shape, 11);
    A_ = put_matrix(operands_.A, "A.npy");
    B_ = put_matrix(operands_.B, "B.npy");
  }

  Arguments multiply(Arguments more = {}) const {
    more.insert(more.begin(), {"multiply", A_, B_, "-o", path("C.npy")});
    return more;
  }

  // Every element within `bound` of the float64 product.
  void expect_product(const std::string& file, double bound) const {
    const Matrix C = read_npy(file);
    ASSERT_EQ(C.rows, operands_.A.rows);
    ASSERT_EQ(C.columns, operands_.B.columns);
    for (std::int64_t row = 0; row < C.rows; ++row)
      for (std::int64_t column = 0; column < C.columns; ++column) {
        double sum = 0;
        for (std::int64_t k = 0; k < operands_.A.columns; ++k)
          sum += double{operands_.A.at(row, k)} * double{operands_.B.at(k, column)};
        ASSERT_TRUE(std::fabs(double{C.at(row, column)} - sum) <= bound) << row << ", " << column;
      }
  }

  Operands operands_;
  std::string A_, B_;
};

TEST_F(SurfaceMultiply, IntegersExactlyOnEveryDevice) {
  for (const Shape shape : {Shape{1, 1, 1}, {3, 5, 2}, {17, 19, 23}, {1, 40, 9}, {33, 1, 8}}) {
    put_operands("coded", shape);
    for (const Arguments& device : {Arguments{"--device", "cpu"},
                                    {"--device", "emulator"},
                                    {"--kernel", "shared_tile_16"},
                                    {"--kernel", "shared_tile_16", "--device", "emulator"},
                                    {"--kernel", "direct_rows"}}) {
      std::filesystem::remove(path("C.npy"));
      const ProcessResult result = tilewright(multiply(device));
      EXPECT_EQ(result.exit_status, 0) << text_of(device) << result.err;
      EXPECT_EQ(result.err, "");
      expect_product(path("C.npy"), 0.0);
    }
  }
}

// γ_K Σ|a||b| with K = 23 and values up to 1 is below 23² u.
TEST_F(SurfaceMultiply, RealNumbersWithinTheBound) {
  put_operands("uniform", {17, 19, 23});
  EXPECT_EQ(tilewright(multiply()).exit_status, 0);
  expect_product(path("C.npy"), 23.0 * 23.0 * 0x1p-24);
}

TEST_F(SurfaceMultiply, VerifiesWhatItComputed) {
  put_operands("uniform", {17, 19, 23});
  const ProcessResult result = tilewright(multiply({"--verify", "--kernel", "shared_tile_16"}));
  EXPECT_EQ(result.exit_status, 0);
  for (const std::string& part :
       std::vector<std::string>{"17x19x23 by shared_tile_16 on emulator", "verified in float64: PASS",
                                "limit 6", "wrote " + path("C.npy")})
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " in " << result.out;
  put_operands("coded", {17, 19, 23});
  EXPECT_NE(tilewright(multiply({"--verify"})).out.find("bit for bit"), std::string::npos);
  const std::string unverified = tilewright(multiply()).out;
  EXPECT_NE(unverified.find("not verified"), std::string::npos) << unverified;
  EXPECT_EQ(unverified.find("PASS"), std::string::npos) << unverified;
}

TEST_F(SurfaceMultiply, AsOneObject) {
  put_operands("uniform", {17, 19, 23});
  const ProcessResult result =
      tilewright(multiply({"--verify", "--json", "--device", "emulator", "--kernel", "direct_8"}));
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "");
  const SurfaceJson json = object_of(result.out);
  EXPECT_EQ(json.value("schema", 0), 1);
  EXPECT_EQ(json.value("device", ""), "emulator");
  EXPECT_EQ(json.value("kernel", ""), "direct_8");
  EXPECT_EQ(json.value("shape", SurfaceJson()), (SurfaceJson{17, 19, 23}));
  EXPECT_EQ(json.value("verified", false), true);
  EXPECT_EQ(json.value("verdict", ""), "PASS");
  EXPECT_EQ(json.value("findings", SurfaceJson()), SurfaceJson::array());
  EXPECT_GT(json.value("seconds", 0.0), 0.0);
  EXPECT_LE(json.at("judgement").at("max_r").get<double>(), 6.0);
  expect_product(path("C.npy"), 23.0 * 23.0 * 0x1p-24);

  const SurfaceJson unverified = object_of(tilewright(multiply({"--json"})).out);
  EXPECT_EQ(unverified.value("verified", true), false);
  EXPECT_TRUE(unverified.at("verdict").is_null()) << "a verdict that nobody has come to";
}

TEST_F(SurfaceMultiply, ReadsEveryVersionOfTheFormat) {
  put_operands("coded", {2, 3, 4});
  for (const int major : {1, 2, 3}) {
    put(npy(major, dict("'<f4'", "False", "(2, 4)"), bytes_of(operands_.A.values)), "A.npy");
    EXPECT_EQ(tilewright(multiply()).exit_status, 0) << major;
    expect_product(path("C.npy"), 0.0);
  }
}

TEST_F(SurfaceMultiply, ReplacesAnOlderOutputAndLeavesNothingElse) {
  put_operands("coded", {2, 3, 4});
  put("older", "C.npy");
  EXPECT_EQ(tilewright(multiply()).exit_status, 0);
  expect_product(path("C.npy"), 0.0);
  EXPECT_EQ(files().size(), 3U);
}

// The library's contract: dimensions and values beyond the exercise's.
TEST_F(SurfaceMultiply, LongDimensionsAndAnyFloat) {
  for (const Shape shape : {Shape{5000, 2, 3}, {2, 5000, 3}, {2, 3, 5000}}) {
    put_operands("coded", shape);
    for (const char* device : {"cpu", "emulator"}) {
      EXPECT_EQ(tilewright(multiply({"--device", device, "--verify"})).exit_status, 0) << device;
      expect_product(path("C.npy"), 0.0);
    }
  }
  put_operands("uniform", {5, 6, 7});
  operands_.A.at(1, 2) = std::numeric_limits<float>::infinity();
  operands_.B.at(6, 0) = std::numeric_limits<float>::quiet_NaN();
  operands_.A.at(3, 0) = 1e30F;
  A_ = put_matrix(operands_.A, "A.npy");
  B_ = put_matrix(operands_.B, "B.npy");
  for (const char* device : {"cpu", "emulator"}) {
    const ProcessResult result = tilewright(multiply({"--device", device, "--verify", "--json"}));
    EXPECT_EQ(result.exit_status, 0) << result.err;
    const SurfaceJson json = object_of(result.out);
    EXPECT_EQ(json.value("contract", ""), "library");
    EXPECT_EQ(json.value("verdict", ""), "PASS");
    EXPECT_EQ(json.at("judgement").at("special"), 10);
    EXPECT_EQ(json.at("judgement").at("special_wrong"), 0);
    const Matrix C = read_npy(path("C.npy"));
    EXPECT_TRUE(std::isinf(C.at(1, 1)));
    EXPECT_TRUE(std::isnan(C.at(4, 0)));
    EXPECT_TRUE(std::isfinite(C.at(3, 3)));
  }
  EXPECT_NE(tilewright(multiply({"--verify"})).out.find("10 elements, 0 wrong"), std::string::npos);
}

TEST_F(SurfaceMultiply, AutoSaysWhatItChoseAndWhy) {
  put_operands("uniform", {17, 19, 23});
  const ProcessResult text = tilewright(multiply({"--device", "emulator"}));
  EXPECT_NE(text.out.find("auto chose "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("safe default"), std::string::npos) << text.out;
  const SurfaceJson json = object_of(tilewright(multiply({"--device", "emulator", "--json"})).out);
  EXPECT_EQ(json.at("choice").at("rung"), json.at("kernel"));
  EXPECT_FALSE(json.at("choice").at("reason").get<std::string>().empty());
  for (const Arguments& named : {Arguments{"--kernel", "direct", "--json"}, {"--device", "cpu", "--json"}})
    EXPECT_TRUE(object_of(tilewright(multiply(named)).out).at("choice").is_null());
}

TEST_F(SurfaceMultiply, AFailedVerdictWritesNothing) {
  put_operands("coded", {9, 9, 9});
  put("precious", "C.npy");
  const ProcessResult result = tilewright(
      multiply({"--device", "emulator", "--kernel", "direct_8", "--max-accesses", "20", "--json"}));
  EXPECT_EQ(result.exit_status, 1);
  const SurfaceJson json = object_of(result.out);
  EXPECT_EQ(json.value("verdict", ""), "FAIL(access_limit)");
  EXPECT_TRUE(json.at("output").is_null());
  EXPECT_EQ(whole_file(path("C.npy")), "precious");
  EXPECT_EQ(files().size(), 3U);
}

TEST_F(SurfaceMultiply, PathsOfAnyKind) {
  put_operands("coded", {2, 3, 4});
  for (const std::string name : {"a folder/C 1.npy", "ünï.npy", "it's.npy", "noextension"}) {
    std::filesystem::create_directories(path("a folder"));
    EXPECT_EQ(tilewright({"multiply", A_, B_, "-o", path(name)}).exit_status, 0) << name;
    expect_product(path(name), 0.0);
  }
}

}  // namespace
}  // namespace tilewright
