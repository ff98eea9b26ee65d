// SPDX-License-Identifier: MIT
//
// cli/npy.h: what is written is what numpy.save writes, what is read comes back bit for bit, every refusal is
// one line that names the file, the value and the rule, and a failed write leaves nothing behind.
#include "cli/npy.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;

std::string dict(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

// A .npy file by hand: `major`.0, the header as it is, then the data.
std::string npy(int major, const std::string& header, const std::string& data) {
  std::string file = "\x93NUMPY" + std::string{static_cast<char>(major), '\0'};
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) file += static_cast<char>((header.size() >> (8 * i)) & 255);
  return file + header + data;
}

const std::vector<float> kSix{1, 2, 3, 4, 5, 6};
const std::string kDict = dict("'<f4'", "False", "(2, 3)");
const std::string kGood = npy(1, kDict, bytes_of(kSix));

class Npy : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "npy_test_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string put(const std::string& bytes, const std::string& name = "a.npy") const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::string get(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  // The one line that `action` is refused with; it must name `file` and hold each of `parts`.
  template <class Action>
  void expect_refused(Action action, const std::string& file, const std::vector<std::string>& parts) const {
    try {
      action();
      ADD_FAILURE() << "accepted: " << file;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.code, Code::bad_input);
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_NE(message.find(file), std::string::npos) << message;
      for (const std::string& part : parts)
        EXPECT_NE(message.find(part), std::string::npos) << part << "\n in " << message;
    }
  }

  void expect_bytes_refused(const std::string& bytes, const std::vector<std::string>& parts) const {
    const std::string file = put(bytes);
    expect_refused([&] { read_npy(file); }, file, parts);
  }

  void expect_header_refused(const std::string& header, const std::vector<std::string>& parts) const {
    expect_bytes_refused(npy(1, header, bytes_of(kSix)), parts);
  }

  fs::path folder_;
};

TEST_F(Npy, RoundTripIsBitForBit) {
  using Limits = std::numeric_limits<float>;
  Matrix matrix(2, 4);
  matrix.values = {-0.0F, Limits::denorm_min(), Limits::infinity(), -Limits::infinity(),
                   0.1F,  Limits::max(),        Limits::lowest(),   std::bit_cast<float>(0x7fc01234U)};
  write_npy(path("m.npy"), matrix);
  const Matrix back = read_npy(path("m.npy"));
  EXPECT_EQ(back.rows, 2);
  EXPECT_EQ(back.columns, 4);
  EXPECT_EQ(bytes_of(back.values), bytes_of(matrix.values));
  EXPECT_EQ(files(), 1U);
}

TEST_F(Npy, WritesWhatNumpySaveWrites) {
  Matrix matrix(2, 3);
  matrix.values = kSix;
  write_npy(path("m.npy"), matrix);
  const std::string header = kDict + std::string(118 - kDict.size() - 1, ' ') + "\n";
  EXPECT_EQ(get("m.npy"), npy(1, header, bytes_of(kSix)));
  EXPECT_EQ(fs::file_size(path("m.npy")), 128U + 6 * sizeof(float));
}

TEST_F(Npy, ReadsTheThreeVersions) {
  for (const int major : {1, 2, 3}) {
    const Matrix matrix = read_npy(put(npy(major, kDict + "   \n", bytes_of(kSix))));
    EXPECT_EQ(matrix.rows, 2) << major;
    EXPECT_EQ(matrix.columns, 3) << major;
    EXPECT_EQ(matrix.values, kSix) << major;
  }
}

TEST_F(Npy, ReadsAnyWayOfWritingTheDict) {
  for (const std::string header :
       {"{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
        "{\"descr\": \"<f4\", 'fortran_order': False, 'shape': (2, 3,)}",
        "  { 'fortran_order' :\tFalse , 'descr' : '<f4' ,\n 'shape' : ( 2 , 3 ) , }  \n \n"}) {
    EXPECT_EQ(read_npy(put(npy(1, header, bytes_of(kSix)))).values, kSix) << header;
  }
}

TEST_F(Npy, ReadsAHeaderLongerThan64KiB) {
  EXPECT_EQ(read_npy(put(npy(2, kDict + std::string(70000, ' ') + "\n", bytes_of(kSix)))).values, kSix);
}

TEST_F(Npy, RefusesWhatIsNoFile) {
  const std::string missing = path("missing.npy"), folder = folder_.string(), pipe = path("pipe");
  const std::string inside = put(kGood) + "/inner.npy";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_refused([&] { read_npy(missing); }, missing, {"cannot read", "No such file"});
  expect_refused([&] { read_npy(folder); }, folder, {"cannot read", "Is a directory"});
  expect_refused([&] { read_npy(inside); }, inside, {"cannot read", "Not a directory"});
  expect_refused([&] { read_npy(pipe); }, pipe, {"cannot read", "not a regular file"});
}

TEST_F(Npy, RefusesWhatIsNoNpyFile) {
  expect_bytes_refused("", {"magic", "not a .npy file"});
  expect_bytes_refused("\x93NUM", {"magic", "'\\x93NUM'", "not a .npy file"});
  expect_bytes_refused("PK\x03\x04 an archive", {"magic", "'PK\\x03\\x04 a'", "\\x93NUMPY"});
}

TEST_F(Npy, RefusesUnknownVersions) {
  for (const auto& [bytes, shown] : {std::pair{std::string("\x04\x00", 2), "'4.0'"},
                                     {std::string("\x00\x00", 2), "'0.0'"},
                                     {std::string("\x01\x01", 2), "'1.1'"},
                                     {std::string("\xff\x00", 2), "'255.0'"}}) {
    std::string file = kGood;
    file.replace(6, 2, bytes);
    expect_bytes_refused(file, {"version", shown, "1.0, 2.0 and 3.0"});
  }
}

TEST_F(Npy, RefusesAFileThatEndsInItsHeader) {
  expect_bytes_refused(kGood.substr(0, 7), {"version '2 bytes'", "only 1 more"});
  expect_bytes_refused(kGood.substr(0, 9), {"header length '2 bytes'", "only 1 more"});
  expect_bytes_refused(npy(2, kDict, "").substr(0, 11), {"header length '4 bytes'", "only 3 more"});
  expect_bytes_refused(npy(1, kDict, "").substr(0, 30),
                       {"header", "'" + std::to_string(kDict.size()) + " bytes'", "only 20 more"});
  expect_bytes_refused("\x93NUMPY" + std::string("\x02\x00\xff\xff\xff\xff", 6) + kDict,
                       {"header '4294967295 bytes'", "truncated"});
}

TEST_F(Npy, RefusesMalformedHeaders) {
  const std::string start = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
  for (const auto& [header, rule] : std::vector<std::pair<std::string, std::string>>{
           {"", "expected '{'"},
           {"[1]", "expected '{'"},
           {start + "(2, 3)", "expected ',' or '}'"},
           {start + "(2, 3", "expected ',' or ')'"},
           {start + "(2, 3)} x", "only padding"},
           {start + "(2, 3)}" + std::string(1, '\0'), "only padding"},
           {start + "(2, 3),,}", "quoted string"},
           {start + "(2,, 3)}", "decimal integer"},
           {start + "(,)}", "decimal integer"},
           {start + "(2 3)}", "expected ',' or ')'"},
           {start + "(-2, 3)}", "decimal integer"},
           {start + "(02, 3)}", "decimal integer"},
           {start + "(2L, 3)}", "decimal integer"},
           {start + "(2.0, 3)}", "expected ',' or ')'"},
           {start + "(0x2, 3)}", "decimal integer"},
           {start + "(2_0, 3)}", "decimal integer"},
           {start + "(6)}", "(n,)"},
           {start + "[2, 3]}", "expected '('"},
           {start + "None}", "expected '('"},
           {"{'descr' '<f4'}", "expected ':'"},
           {"{'descr: <f4}", "quoted string"},
           {"{'descr': '<f4\"}", "quoted string"},
           {"{'descr': '<f\\x34'}", "without backslashes"},
           {"{'descr': '<f\n4'}", "on one line"},
           {"{'descr': '", "quoted string"},
           {"{'descr': 4}", "quoted string"},
           {"{descr: '<f4'}", "quoted string"},
           {"{'fortran_order': 0}", "True or False"},
           {"{'fortran_order': Falsey}", "True or False"},
           {"{'fortran_order': false}", "True or False"}})
    expect_header_refused(header, {"header", "malformed at its byte ", rule});
}

TEST_F(Npy, RefusesOtherKeys) {
  const std::string rule = "descr, fortran_order and shape, each once";
  expect_header_refused("{'descr': '<f4', 'shape': (2, 3), }", {"header", "'{'descr'", rule});
  expect_header_refused("{}", {"header", "'{}'", rule});
  expect_header_refused("{'descr': '<f4', 'descr': '<f4'}", {"header key 'descr'", rule});
  expect_header_refused("{'order': 'C'}", {"header key 'order'", rule});
  expect_header_refused("{'a\x01\xff': 'C'}", {"header key 'a\\x01\\xff'", rule});
}

TEST_F(Npy, RefusesOtherDtypesByName) {
  for (const auto& [descr, name] :
       std::vector<std::pair<std::string, std::string>>{{"<f8", "float64"},
                                                        {"<f2", "float16"},
                                                        {">f4", "big-endian float32"},
                                                        {">f8", "big-endian float64"},
                                                        {"<i4", "int32"},
                                                        {"|u1", "uint8"},
                                                        {"|b1", "bool"},
                                                        {"<c8", "complex64"},
                                                        {"<U5", "text"},
                                                        {"|S5", "bytes"},
                                                        {"|O", "object"},
                                                        {"|V4", "void"},
                                                        {"<M8[ns]", "datetime64"},
                                                        {"<m8[s]", "timedelta64"},
                                                        {"bfloat16", "an unknown dtype"},
                                                        {"=f4", "float32"},
                                                        {"", "an unknown dtype"}})
    expect_header_refused(dict("'" + descr + "'", "False", "(2, 3)"),
                          {"dtype", descr, "this is " + name + ";", "only '<f4'"});
  expect_header_refused(dict("[('a', '<f4'), ('b', '<f4')]", "False", "(3,)"),
                        {"dtype '[('a', '<f4'), ('b', '<f4')]'", "structured", "only '<f4'"});
  expect_header_refused(dict("('<f4', (2,))", "False", "(3,)"), {"dtype '('<f4', (2,)'", "structured"});
  expect_header_refused("{'descr': [", {"dtype '['", "structured"});
}

TEST_F(Npy, RefusesFortranOrderEvenWhereItIsTheSame) {
  for (const std::string shape : {"(2, 3)", "(1, 6)"})
    expect_header_refused(dict("'<f4'", "True", shape),
                          {"fortran_order 'True'", "only C order", "the same bytes", "ascontiguousarray"});
}

TEST_F(Npy, RefusesOtherRanks) {
  for (const auto& [shape, rank] :
       {std::pair{"()", "rank 0"}, {"(6,)", "rank 1"}, {"(1, 2, 3)", "rank 3"}, {"(1, 1, 1, 6)", "rank 4"}})
    expect_header_refused(dict("'<f4'", "False", shape),
                          {std::string("shape '") + shape + "'", rank, "rank 2"});
}

TEST_F(Npy, RefusesDimensionsThatHoldNothingOrTooMuch) {
  for (const std::string shape : {"(0, 3)", "(2, 0)", "(0, 0)"})
    expect_header_refused(dict("'<f4'", "False", shape), {"shape '" + shape + "'", "at least 1"});
  for (const std::string shape :
       {"(4294967296, 4294967296)", "(2305843009213693952, 1)", "(99999999999999999999999, 1)",
        "(1, 18446744073709551615)", "(6148914691236517206, 3)"})
    expect_header_refused(dict("'<f4'", "False", shape), {"shape '" + shape + "'", "overflows 64 bits"});
  // Fits in 64 bits, but the file is 24 bytes: refused before anything is allocated.
  expect_header_refused(dict("'<f4'", "False", "(1000000000, 1000000000)"),
                        {"data '24 bytes'", "truncated", "4000000000000000000"});
}

TEST_F(Npy, RefusesDataOfAnotherLength) {
  expect_bytes_refused(kGood.substr(0, kGood.size() - 1),
                       {"data '23 bytes'", "truncated", "(2, 3)", "exactly 24"});
  expect_bytes_refused(npy(1, kDict, ""), {"data '0 bytes'", "truncated", "exactly 24"});
  expect_bytes_refused(kGood + "x", {"data '25 bytes'", "trailing bytes", "(2, 3)", "exactly 24"});
}

TEST_F(Npy, MessagesStayOneLineWhateverThePathHolds) {
  const std::string file = put("no", "two\nlines.npy");
  expect_refused([&] { read_npy(file); }, "two\\x0alines.npy", {"magic"});
  expect_refused([&] { read_npy(path("gone\n.npy")); }, "gone\\x0a.npy", {"No such file"});
}

TEST_F(Npy, WritingReplacesAFileAndFollowsALink) {
  put("old", "m.npy");
  fs::create_symlink("m.npy", path("link.npy"));
  write_npy(path("link.npy"), Matrix(1, 1));
  EXPECT_TRUE(fs::is_symlink(path("link.npy")));
  EXPECT_EQ(read_npy(path("m.npy")).values, std::vector<float>{0});
  EXPECT_EQ(files(), 2U);
}

TEST_F(Npy, NeverTakesAnotherFileForItsTemporary) {
  const std::string stem = ".tilewright-" + std::to_string(getpid()) + "-";
  for (int i = 0; i < 100; ++i) put("theirs", stem + std::to_string(i));
  write_npy(path("m.npy"), Matrix(1, 1));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(get(stem + std::to_string(i)), "theirs");
  EXPECT_EQ(files(), 101U);
}

TEST_F(Npy, AFailedWriteLeavesNothingBehind) {
  const std::string orphan = path("nowhere/m.npy"), folder = path("folder.npy"), pipe = path("pipe");
  fs::create_directory(folder);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_refused([&] { write_npy(orphan, Matrix(1, 1)); }, orphan, {"cannot write", "No such file"});
  expect_refused([&] { write_npy(folder, Matrix(1, 1)); }, folder, {"cannot write", "Is a directory"});
  expect_refused([&] { write_npy(pipe, Matrix(1, 1)); }, pipe, {"cannot write", "not a regular file"});
  EXPECT_TRUE(fs::is_directory(folder));
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(files(), 2U);
}

// The system stops the write half-way: a limit on the file's size stands in for a full disk.
TEST_F(Npy, AWriteThatTheSystemStopsLeavesTheTargetUntouched) {
  const std::string target = put("precious", "m.npy");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 4096;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string message;
  try {
    write_npy(target, Matrix(100, 100));
  } catch (const Error& error) {
    message = error.what();
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, previous);
  EXPECT_EQ(message, "cannot write '" + target + "': File too large");
  EXPECT_EQ(get("m.npy"), "precious");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Npy, RefusesToWriteWhatItWouldNotRead) {
  Matrix torn(2, 3);
  torn.values.pop_back();
  expect_refused([&] { write_npy(path("m.npy"), Matrix()); }, path("m.npy"),
                 {"shape '(0, 0)'", "at least one row"});
  expect_refused([&] { write_npy(path("m.npy"), torn); }, path("m.npy"),
                 {"shape '(2, 3)'", "a value for each place"});
  EXPECT_EQ(files(), 0U);
}

}  // namespace
}  // namespace tilewright
