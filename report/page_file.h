// SPDX-License-Identifier: MIT
//
// A report as a file: the page's shell with the document as text in it, and with all that the document was made of, packed,
// so that whoever has the file can make it again.
#pragma once

#include <string>

#include "report/document.h"

namespace tilewright {

// `shell` holds the line <!--report--> once, where the data goes.
std::string report_page(const std::string& shell, const Json& document, const ReportInputs& inputs);

// The document as it stands in the page: JSON that HTML cannot take for the end of its element.
std::string document_text(const Json& document);

struct ReportFile {
  std::string shell;  // what is round the data, with the line <!--report--> in its place
  std::string text;   // of the document
  Json document;
  ReportInputs inputs;
};

// Throws bad_input naming the path where it is no report, and Error(fault) where it was one and is damaged.
ReportFile read_report_page(const std::string& text, const std::string& path);

// gzip, then base64.
std::string packed(const std::string& text);
// Throws std::runtime_error on what `packed` did not make.
std::string unpacked(const std::string& text);

}  // namespace tilewright
