// SPDX-License-Identifier: MIT
#include "report/page_file.h"

#include <zlib.h>

#include <memory>
#include <stdexcept>
#include <string_view>

#include "core/error.h"

namespace tilewright {
namespace {

constexpr std::string_view place = "<!--report-->";
constexpr std::string_view document_begins = "<script type=\"application/json\" id=\"document\">";
constexpr std::string_view records_begin = "<script type=\"application/json\" id=\"records\">";
constexpr std::string_view ends = "</script>";
constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int gzip_window = 15 + 16;
// What deflate writes first: no name, no time, best compression, Unix. Its checksum does not cover these.
constexpr std::string_view gzip_head{"\x1f\x8b\x08\0\0\0\0\0\x02\x03", 10};
constexpr std::size_t piece_bytes = 1 << 18;
// A report unpacks to less; what grows beyond is no report.
constexpr std::size_t most_unpacked_bytes = std::size_t{1} << 31;

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += at + i > bytes.size() ? '=' : digits[group >> (18 - 6 * i) & 63];
  }
  return text;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char letter : text) {
    const std::size_t digit = digits.find(letter);
    if (digit == std::string_view::npos) break;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    if ((bits += 6) < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255);
  }
  // Letters that are none, and bits that no byte takes, are changes too.
  if (base64(bytes) != text) throw std::runtime_error("it is no base64");
  return bytes;
}

// Ends a stream of zlib when it goes.
using Closed = std::unique_ptr<z_stream, int (*)(z_stream*)>;

// Runs `step` (deflate or inflate) over the input until it has given everything.
template <class Step>
std::string stream_through(z_stream& stream, const std::string& in, Step step) {
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
  stream.avail_in = static_cast<uInt>(in.size());
  std::string out;
  std::string piece(piece_bytes, '\0');
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = step(&stream);
    out.append(piece, 0, piece.size() - stream.avail_out);
    if (out.size() > most_unpacked_bytes) status = Z_DATA_ERROR;
  }
  if (status != Z_STREAM_END || stream.avail_in != 0)
    throw std::runtime_error("the packed data is damaged or cut off");
  return out;
}

// The text between a beginning and the next end; where it is missing, an error that names it.
std::string between(const std::string& text, std::string_view begin, const std::string& path) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) throw bad_input("report", path, "is no report that this program wrote");
  const std::size_t end = text.find(ends, at);
  if (end == std::string::npos)
    throw Error(Code::fault, "report", path, "is cut off in the middle of its data");
  return text.substr(at + begin.size(), end - at - begin.size());
}

Json parsed(const std::string& text, const std::string& path, const std::string& what) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(Code::fault, "report", path, what + " is damaged: " + error.what());
  }
}

}  // namespace

std::string document_text(const Json& document) {
  const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text)
    if (letter == '<')
      safe += "\\u003c";
    else
      safe += letter;
  return safe;
}

std::string packed(const std::string& text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib cannot begin");
  const Closed closed(&stream, deflateEnd);
  return base64(stream_through(stream, text, [](z_stream* all) { return deflate(all, Z_FINISH); }));
}

std::string unpacked(const std::string& text) {
  const std::string bytes = from_base64(text);
  if (bytes.rfind(gzip_head, 0) != 0) throw std::runtime_error("it does not begin as gzip");
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) throw std::runtime_error("zlib cannot begin");
  const Closed closed(&stream, inflateEnd);
  return stream_through(stream, bytes, [](z_stream* all) { return inflate(all, Z_NO_FLUSH); });
}

std::string report_page(const std::string& shell, const Json& document, const ReportInputs& inputs) {
  const std::size_t at = shell.find(place);
  if (at == std::string::npos) throw std::logic_error("the shell of the report has no place for its data");
  std::string data;
  data += document_begins;
  data += document_text(document);
  data += ends;
  data += "\n";
  data += records_begin;
  data += '"' + packed(to_json(inputs).dump(-1, ' ', false, Json::error_handler_t::replace)) + '"';
  data += ends;
  return shell.substr(0, at) + data + shell.substr(at + place.size());
}

ReportFile read_report_page(const std::string& text, const std::string& path) {
  ReportFile file;
  file.text = between(text, document_begins, path);
  file.document = parsed(file.text, path, "its document");
  const Json records = parsed(between(text, records_begin, path), path, "the packing of its records");
  if (!records.is_string()) throw Error(Code::fault, "report", path, "its records are not packed text");
  std::string inputs;
  try {
    inputs = unpacked(records.get<std::string>());
  } catch (const std::runtime_error& error) {
    throw Error(Code::fault, "report", path, std::string("its records are changed: ") + error.what());
  }
  file.inputs = report_inputs(parsed(inputs, path, "the text of its records"));
  const std::size_t begin = text.find(document_begins);
  const std::size_t last = text.find(ends, text.find(records_begin)) + ends.size();
  file.shell = text.substr(0, begin) + std::string(place) + text.substr(last);
  return file;
}

}  // namespace tilewright
