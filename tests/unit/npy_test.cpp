// SPDX-License-Identifier: MIT
//
// cli/npy.h: what is written is what numpy.save writes, what is read comes back bit for bit, every refusal is
// one line that names the file, the value and the rule, and a failed write leaves nothing behind.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/npy_files.h"

namespace tilewright {
namespace {

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
