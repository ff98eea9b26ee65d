// SPDX-License-Identifier: MIT
//
// The header of a .npy file, read strictly: any spacing and order of its keys, and a refusal that names the
// file, the value and the rule for everything else.
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/npy_files.h"

namespace tilewright {
namespace {

class NpyHeaderFile : public Npy {};

TEST_F(NpyHeaderFile, ReadsAnyWayOfWritingTheDict) {
  for (const std::string header :
       {"{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
        "{\"descr\": \"<f4\", 'fortran_order': False, 'shape': (2, 3,)}",
        "  { 'fortran_order' :\tFalse , 'descr' : '<f4' ,\n 'shape' : ( 2 , 3 ) , }  \n \n"}) {
    EXPECT_EQ(read_npy(put(npy(1, header, bytes_of(kSix)))).values, kSix) << header;
  }
}

TEST_F(NpyHeaderFile, ReadsAHeaderLongerThan64KiB) {
  EXPECT_EQ(read_npy(put(npy(2, kDict + std::string(70000, ' ') + "\n", bytes_of(kSix)))).values, kSix);
}

TEST_F(NpyHeaderFile, RefusesMalformedHeaders) {
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

TEST_F(NpyHeaderFile, RefusesOtherKeys) {
  const std::string rule = "descr, fortran_order and shape, each once";
  expect_header_refused("{'descr': '<f4', 'shape': (2, 3), }", {"header", "'{'descr'", rule});
  expect_header_refused("{}", {"header", "'{}'", rule});
  expect_header_refused("{'descr': '<f4', 'descr': '<f4'}", {"header key 'descr'", rule});
  expect_header_refused("{'order': 'C'}", {"header key 'order'", rule});
  expect_header_refused("{'a\x01\xff': 'C'}", {"header key 'a\\x01\\xff'", rule});
}

TEST_F(NpyHeaderFile, RefusesOtherDtypesByName) {
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

TEST_F(NpyHeaderFile, RefusesFortranOrderEvenWhereItIsTheSame) {
  for (const std::string shape : {"(2, 3)", "(1, 6)"})
    expect_header_refused(dict("'<f4'", "True", shape),
                          {"fortran_order 'True'", "only C order", "the same bytes", "ascontiguousarray"});
}

TEST_F(NpyHeaderFile, RefusesOtherRanks) {
  for (const auto& [shape, rank] :
       {std::pair{"()", "rank 0"}, {"(6,)", "rank 1"}, {"(1, 2, 3)", "rank 3"}, {"(1, 1, 1, 6)", "rank 4"}})
    expect_header_refused(dict("'<f4'", "False", shape),
                          {std::string("shape '") + shape + "'", rank, "rank 2"});
}

TEST_F(NpyHeaderFile, RefusesDimensionsThatHoldNothingOrTooMuch) {
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

}  // namespace
}  // namespace tilewright
