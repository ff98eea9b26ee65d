// SPDX-License-Identifier: MIT
//
// Matrices that tilewright multiply does not take: status 2, one line that names the file or the operand, and
// the output as it was before.
#include "tests/surface/command.h"

namespace tilewright {
namespace {

class SurfaceMultiplyRefusal : public Command {
 protected:
  void SetUp() override {
    Matrix A(2, 3), B(3, 2);
    A.values.assign(6, 0.5F);
    B.values.assign(6, 0.25F);
    A_ = put_matrix(A, "A.npy");
    B_ = put_matrix(B, "B.npy");
    put("precious", "C.npy");
  }

  // As A, as B, and with --json; C.npy keeps its bytes (expect_refused compares every file).
  void expect_refused_file(const std::string& file, const std::vector<std::string>& parts) const {
    std::vector<std::string> named = parts;
    named.push_back(file);
    expect_refused({"multiply", A_, file, "-o", path("C.npy")}, named);
    expect_refused({"multiply", file, B_, "-o", path("new.npy")}, named);
    expect_refused_as_json({"multiply", A_, file, "-o", path("C.npy"), "--verify"});
  }
  void expect_refused_bytes(const std::string& bytes, const std::vector<std::string>& parts) const {
    expect_refused_file(put(bytes, "bad.npy"), parts);
  }
  void expect_refused_B(const Matrix& B, const std::vector<std::string>& parts) const {
    const Arguments arguments{"multiply", A_, put_matrix(B, "bad.npy"), "-o", path("C.npy")};
    expect_refused(arguments, parts);
    expect_refused_as_json(arguments);
  }

  std::string A_, B_;
};

const std::string kSixFloats = bytes_of(kSix);

TEST_F(SurfaceMultiplyRefusal, FilesThatAreNone) {
  expect_refused_file(path("missing.npy"), {"No such file"});
  std::filesystem::create_directory(path("folder.npy"));
  expect_refused_file(path("folder.npy"), {"Is a directory"});
  expect_refused_bytes("", {"not a .npy file"});
  expect_refused_bytes("PK\x03\x04", {"not a .npy file"});
}

TEST_F(SurfaceMultiplyRefusal, TruncatedFiles) {
  const std::string good = npy(1, dict("'<f4'", "False", "(3, 2)"), kSixFloats);
  for (const std::size_t kept : {7U, 9U, 30U}) expect_refused_bytes(good.substr(0, kept), {"truncated"});
  expect_refused_bytes(good.substr(0, good.size() - 1), {"truncated", "exactly 24"});
  expect_refused_bytes(good + "x", {"trailing bytes"});
}

TEST_F(SurfaceMultiplyRefusal, OtherArrays) {
  expect_refused_bytes(npy(1, dict("'<f8'", "False", "(3, 2)"), std::string(48, '\0')),
                       {"dtype '<f8'", "float64"});
  expect_refused_bytes(npy(1, dict("'>f4'", "False", "(3, 2)"), kSixFloats), {"big-endian float32"});
  expect_refused_bytes(npy(1, dict("'<f4'", "True", "(3, 2)"), kSixFloats), {"fortran_order", "C order"});
  expect_refused_bytes(npy(1, dict("'<f4'", "False", "(6,)"), kSixFloats), {"shape '(6,)'", "rank 1"});
  expect_refused_bytes(npy(1, dict("'<f4'", "False", "(1, 3, 2)"), kSixFloats), {"rank 3"});
  expect_refused_bytes(npy(1, dict("'<f4'", "False", "(0, 2)"), ""), {"at least 1"});
  expect_refused_bytes(npy(1, "garbage", kSixFloats), {"malformed"});
}

TEST_F(SurfaceMultiplyRefusal, InnerDimensionsThatDiffer) {
  expect_refused_B(Matrix(4, 2), {"B rows '4'", "columns of A, which is 3"});
}

TEST_F(SurfaceMultiplyRefusal, TunedTables) {
  const Arguments on_emulator{"multiply", A_,         B_,        "-o",           path("C.npy"),
                              "--device", "emulator", "--tuned", path("no.json")};
  expect_refused(on_emulator, {"tuned table", path("no.json"), "cannot be read"});
  put("{\"schema\": 7}", "no.json");
  expect_refused(on_emulator, {path("no.json"), "schema 1"});
  expect_refused_as_json(on_emulator);
}

TEST_F(SurfaceMultiplyRefusal, Kernels) {
  expect_refused({"multiply", A_, B_, "-o", path("C.npy"), "--kernel", "shared_tile16"},
                 {"'shared_tile16'", "did you mean shared_tile_16?"});
  expect_refused({"multiply", A_, B_, "-o", path("C.npy"), "--kernel", "direct", "--device", "cpu"},
                 {"--kernel 'direct'", "gpu or emulator"});
  expect_refused({"multiply", A_, B_, "-o", path("C.npy"), "--device", "tpu"}, {"--device", "tpu"});
}

TEST_F(SurfaceMultiplyRefusal, OutputsThatCannotBe) {
  expect_refused({"multiply", A_, B_, "-o", path("no/such/C.npy")}, {path("no/such/C.npy"), "No such file"});
  std::filesystem::create_directory(path("folder.npy"));
  expect_refused({"multiply", A_, B_, "-o", path("folder.npy")}, {path("folder.npy"), "Is a directory"});
  expect_refused({"multiply", A_, B_, "-o", "/dev/null"}, {"/dev/null", "not a regular file"});
  expect_refused({"multiply", A_, B_, "-o", ""}, {});
}

TEST_F(SurfaceMultiplyRefusal, StaysOneLineWhateverThePathHolds) {
  expect_refused({"multiply", A_, path("two\nlines.npy"), "-o", path("C.npy")}, {"two\\x0alines.npy"});
}

}  // namespace
}  // namespace tilewright
