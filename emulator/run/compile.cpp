// SPDX-License-Identifier: MIT
#include "emulator/run/compile.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.h"
#include "core/nearest.h"
#include "core/process.h"
#include "emulated_flags.h"
#include "emulator/run/dynamic_shared.h"
#include "emulator/run/refuse.h"

namespace tilewright {
namespace {

std::string whole_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// What the launch calls: the kernel itself, or a function of the ladder's signature that calls it. The function
// stands on the kernel's own line, so that what is said of the kernel as a whole is said there.
std::string entry_source(const KernelFile& file, const std::string& path, int line, std::string& entry) {
  std::ostringstream text;
  if (file.signature == Signature::matmul) {
    entry = file.kernel;
    text << "static_assert(std::is_convertible_v<decltype(&" << entry << "), tilewright::KernelF32*>, "
         << "\"TILEWRIGHT_SIGNATURE\");\n";
    return text.str();
  }
  entry = "tilewright_sgemm";
  const auto kernel_type = [](const std::string& input) {
    return "void (*)(int, int, int, float, " + input + "*, " + input + "*, float, float*)";
  };
  text << "static_assert(std::is_convertible_v<decltype(&" << file.kernel << "), "
       << kernel_type("const float") << "> || std::is_convertible_v<decltype(&" << file.kernel << "), "
       << kernel_type("float") << ">, \"TILEWRIGHT_SIGNATURE\");\n"
       << "#line " << line << " \"" << path << "\"\n"
       << "static void tilewright_sgemm(const float* A, const float* B, float* C, int M, int N, int K) { ("
       << file.kernel << ")(M, N, K, 1.0f, const_cast<float*>(A), const_cast<float*>(B), 0.0f, C); }\n"
       << "#line 1 \"registration.cpp\"\n"
       << "extern \"C\" __attribute__((visibility(\"default\"), used)) void* const " << called_kernel_symbol
       << " = reinterpret_cast<void*>(&" << file.kernel << ");\n";
  return text.str();
}

// A translation unit that includes the user's file and registers its kernel, so that the file itself stays as
// it is.
std::string registration_source(const KernelFile& file, const std::string& path, int line) {
  std::ostringstream text;
  std::string entry;
  text << "#include \"" << path << "\"\n"
       << "#include <type_traits>\n#include \"kernels/rung.h\"\n"
       << entry_source(file, path, line, entry) << "TILEWRIGHT_RUNGS({.name = \"" << file.kernel
       << "\", .idea = \"a user's kernel\", .source = \"" << path << "\", .tile = {.BM = " << file.tile_y
       << ", .BN = " << file.tile_x << ", .BK = 1}, .block = {.x = " << file.block.x
       << ", .y = " << file.block.y << "}, .grid_order = tilewright::GridOrder::columns_along_x, "
       << ".static_shared_bytes = 0, .kernel = &" << entry
       << ", .predict = nullptr, .dynamic_shared_bytes = " << file.dynamic_shared_bytes << "})\n";
  return text.str();
}

// "my.cu:7:3: error: …": the first line of a compiler's output that says "error".
std::string first_error(const std::string& output) {
  if (output.empty()) return "the compiler failed without a word";
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.find("error:") != std::string::npos) return line;
  return output.substr(0, output.find('\n'));
}

class Compilation {
 public:
  Compilation(const KernelFile& file, const EmulatorToolchain& toolchain)
      : file_(file), toolchain_(toolchain), path_(std::filesystem::absolute(file.path).string()) {}

  std::unique_ptr<KernelModule> run() {
    const int line = check_words();
    const std::string source = folder_.file("registration.cpp");
    const std::string object = folder_.file("kernel.o");
    const std::string module = folder_.file("kernel.so");
    std::ofstream(source) << registration_source(file_, path_, line);
    std::vector<std::string> compile = command();
    compile.insert(compile.end(), {"-c", source, "-o", object});
    if (const ProcessResult result = run_process(compile); result.exit_status != 0)
      refuse_compilation(result.err);
    std::vector<std::string> link{toolchain_.compiler};
    link.insert(link.end(), std::begin(emulated_link_flags), std::end(emulated_link_flags));
    link.insert(link.end(), {object, "-o", module});
    if (!toolchain_.callbacks.empty()) link.push_back(toolchain_.callbacks);
    if (const auto names = undefined_thread_locals(object); !names.empty()) {
      const std::string shared = folder_.file("dynamic_shared.s");
      std::ofstream(shared) << dynamic_shared_assembly(names, file_.dynamic_shared_bytes);
      link.push_back(shared);
    }
    if (const ProcessResult result = run_process(link); result.exit_status != 0)
      throw refusal("does not link: " + first_error(result.err), result.err);
    // Loaded modules and read debug information do not need the file any more.
    try {
      return std::make_unique<KernelModule>(module);
    } catch (const Error& error) {
      const std::string_view mark = "undefined symbol: ";
      const std::size_t at = error.rule.find(mark);
      if (at == std::string::npos) throw;
      throw bad_input(file_.path, error.rule.substr(at + mark.size()),
                      "is used but not defined, and the emulator does not offer it");
    }
  }

 private:
  std::vector<std::string> command() const {
    std::vector<std::string> arguments{toolchain_.compiler};
    arguments.insert(arguments.end(), std::begin(emulated_compile_flags), std::end(emulated_compile_flags));
    const std::string cuda = toolchain_.resources + "/cuda";
    // The warnings a user sees are those of their own build.
    arguments.insert(arguments.end(), {"-w", "-fdiagnostics-color=never", "-I" + cuda + "/include",
                                       "-I" + toolchain_.resources, "-include", cuda + "/prelude.h",
                                       "-ffile-prefix-map=" + path_ + "=" + file_.path});
    if (!toolchain_.cuda_include.empty())
      arguments.insert(arguments.end(),
                       {"-I" + cuda + "/toolkit",
                        "-DTILEWRIGHT_CUDA_FP16_H=\"" + toolchain_.cuda_include + "/cuda_fp16.h\"",
                        "-DTILEWRIGHT_CUDA_BF16_H=\"" + toolchain_.cuda_include + "/cuda_bf16.h\""});
    return arguments;
  }

  // What the emulator lacks, and whether the kernel exists, before the compiler's own words for it.
  // The line of the kernel.
  int check_words() const {
    std::vector<std::string> preprocess = command();
    preprocess.insert(preprocess.end(), {"-E", "-DTILEWRIGHT_SCAN", path_});
    const ProcessResult result = run_process(preprocess);
    if (result.exit_status != 0) refuse_header(result.err);
    const KernelFileScan scan = scan_kernel_file(result.out, toolchain_.resources);
    if (scan.refused)
      throw bad_input(as_given(scan.refused->file) + ":" + std::to_string(scan.refused->line),
                      scan.refused->word, not_offered);
    const std::string qualified = file_.kernel.substr(0, file_.kernel.find('<'));
    const std::size_t colon = qualified.rfind("::");
    const std::string name = colon == std::string::npos ? qualified : qualified.substr(colon + 2);
    std::string known;
    for (std::size_t i = 0; i < scan.kernels.size(); ++i) {
      if (scan.kernels[i] == name) return scan.kernel_lines[i];
      known += (known.empty() ? "" : ", ") + scan.kernels[i];
    }
    if (known.empty()) throw bad_input("--kernel", file_.kernel, file_.path + " has no __global__ function");
    throw bad_input(
        "--kernel", file_.kernel,
        "did you mean " + nearest(name, scan.kernels) + "? " + file_.path + " has these kernels: " + known);
  }

  Error refusal(const std::string& rule, const std::string& details) const {
    Error error = bad_input(file_.path, "", as_given(rule));
    // How the file came to be included is the emulator's affair.
    std::istringstream lines(as_given(details));
    for (std::string line; std::getline(lines, line);)
      if (line.find("registration.cpp") == std::string::npos) error.details += line + "\n";
    return error;
  }

  // The compiler knows the file by its absolute path, its owner by another.
  std::string as_given(std::string text) const {
    for (std::size_t at = text.find(path_); at != std::string::npos;
         at = text.find(path_, at + file_.path.size()))
      text.replace(at, path_.size(), file_.path);
    return text;
  }

  [[noreturn]] void refuse_header(const std::string& output) const {
    const std::string error = first_error(output);
    const std::string_view mark = "fatal error: ";
    const std::size_t start = error.find(mark);
    const std::size_t end = error.find(": No such file");
    if (start != std::string::npos && end != std::string::npos) {
      const std::string header = error.substr(start + mark.size(), end - start - mark.size());
      if (toolchain_.cuda_include.empty() && is_half_precision_header(header))
        throw Error(Code::unavailable, as_given(error.substr(0, error.find(": "))),
                    "#include <" + header + ">",
                    "half precision is computed by CUDA's own headers, and no CUDA toolkit was found here");
      if (is_cuda_header(header))
        throw bad_input(as_given(error.substr(0, error.find(": "))), "#include <" + header + ">",
                        not_offered);
    }
    throw refusal("does not compile: " + error, output);
  }

  [[noreturn]] void refuse_compilation(const std::string& output) const {
    if (output.find("TILEWRIGHT_SIGNATURE") != std::string::npos &&
        first_error(output).find("registration.cpp") != std::string::npos)
      throw bad_input(
          "--kernel", file_.kernel,
          "is not one kernel of the signature " +
              std::string(file_.signature == Signature::matmul
                              ? "(const float* A, const float* B, float* C, int M, int N, int K)"
                              : "(int M, int N, int K, float alpha, const float* A, const float* B, float "
                                "beta, float* C)") +
              "; a template needs its arguments, such as tiled<16>");
    if (const auto word = gpu_instruction(output))
      throw bad_input(as_given(word->file) + ":" + std::to_string(word->line), word->word, not_offered);
    throw refusal("does not compile: " + first_error(output), output);
  }

  static constexpr const char* not_offered = "is CUDA C++ that the emulator does not offer yet";
  const KernelFile& file_;
  const EmulatorToolchain& toolchain_;
  std::string path_;
  TemporaryFolder folder_;
};

// The kernel's name goes into a translation unit, so it must be a name and nothing else.
void require_kernel_name(const std::string& name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:<>, ";
  if (name.empty() || name.find_first_not_of(allowed) != std::string::npos)
    throw bad_input("--kernel", name, "must be the name of a kernel as C++ spells it, such as tiled<16>");
}

}  // namespace

std::unique_ptr<KernelModule> compile_kernel_file(const KernelFile& file,
                                                  const EmulatorToolchain& toolchain) {
  require_kernel_name(file.kernel);
  if (!std::filesystem::is_regular_file(file.path))
    throw bad_input("kernel file", file.path, "is not a file");
  if (file.path.find_first_of("\"\n\\") != std::string::npos)
    throw bad_input("kernel file", file.path, "the path may not hold a quote, a backslash or a line break");
  if (whole_file(file.path).empty()) throw bad_input("kernel file", file.path, "is empty");
  if (toolchain.compiler.find('/') == std::string::npos && find_program(toolchain.compiler).empty())
    throw Error(Code::unavailable, "host compiler", toolchain.compiler,
                "is not installed; the emulator compiles a kernel file with g++ 12 or later");
  return Compilation(file, toolchain).run();
}

}  // namespace tilewright
