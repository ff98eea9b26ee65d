// SPDX-License-Identifier: MIT
#include "emulator/run/kernel_module.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "core/error.h"
#include "emulator/run/dynamic_shared.h"
#include "emulator/run/elf_symbols.h"
#include "emulator/run/refuse.h"

namespace {

// Rungs register themselves while dlopen runs the module's initialisers; one module is loaded at a time.
std::mutex loading;
std::vector<tilewright::Rung>* rungs_being_loaded = nullptr;
// By dlopen's handle: loading a module that is loaded already runs no initialisers.
std::map<void*, std::vector<tilewright::Rung>> rungs_of_loaded;

}  // namespace

// glibc's own entry point for the address of a thread-local variable: it allocates the block on first use.
struct TlsIndex {
  std::size_t module, offset;
};
extern "C" void* __tls_get_addr(TlsIndex* index);

extern "C" void tilewright_register_emulated_rungs(tilewright::RungList list) {
  if (rungs_being_loaded != nullptr)
    rungs_being_loaded->insert(rungs_being_loaded->end(), list.rungs, list.rungs + list.count);
}

namespace tilewright {
namespace {

std::string demangled(const char* symbol) {
  if (std::string_view(symbol).substr(0, 2) != "_Z") return symbol;  // "s" is no short
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : symbol;
  std::free(text);
  return name;
}

// "void tiled<16>(float const*, …)::a" -> "a": people know a shared variable by its own name.
std::string own_name(const std::string& qualified) {
  const std::size_t colon = qualified.rfind("::");
  return colon == std::string::npos ? qualified : qualified.substr(colon + 2);
}

// What a module asks of run/warp_words.cpp and run/cooperative_groups.cpp.
bool is_warp_word(std::string_view symbol) {
  const auto has = [&](std::string_view part) { return symbol.find(part) != std::string_view::npos; };
  return symbol != "__syncthreads" && (has("_sync") || has("cooperative_groups"));
}

}  // namespace

struct KernelModule::DebugInfo {
  Dwfl_Callbacks callbacks{};
  Dwfl* session = nullptr;
  mutable std::mutex lock;  // libdw caches as it reads

  DebugInfo(const std::string& path, std::uintptr_t load_base) {
    callbacks.find_elf = dwfl_build_id_find_elf;
    callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
    session = dwfl_begin(&callbacks);
    dwfl_report_begin(session);
    dwfl_report_elf(session, "kernel", path.c_str(), -1, load_base, false);
    dwfl_report_end(session, nullptr, nullptr);
  }
  ~DebugInfo() { dwfl_end(session); }
  DebugInfo(const DebugInfo&) = delete;
  DebugInfo& operator=(const DebugInfo&) = delete;
};

KernelModule::KernelModule(const std::string& path) : path_(path) {
  const std::lock_guard hold(loading);
  rungs_being_loaded = &rungs_;
  handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  rungs_being_loaded = nullptr;
  if (handle_ == nullptr) throw bad_input("kernel module", path, dlerror());
  if (rungs_.empty())
    rungs_ = rungs_of_loaded[handle_];
  else
    rungs_of_loaded[handle_] = rungs_;
  if (rungs_.empty()) throw bad_input("kernel module", path, "registers no kernel");
  if (const void* called = dlsym(handle_, called_kernel_symbol); called != nullptr)
    called_kernel_ = *static_cast<const void* const*>(called);
  find_segments();
  read_symbols();
  debug_ = std::make_unique<DebugInfo>(path_, load_base_);
}

KernelModule::~KernelModule() {
  debug_.reset();
  if (handle_ != nullptr) dlclose(handle_);
}

void KernelModule::find_segments() {
  link_map* map = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) throw bad_input("kernel module", path_, dlerror());
  load_base_ = map->l_addr;
  const auto visit = [](dl_phdr_info* info, std::size_t, void* self) {
    auto& module = *static_cast<KernelModule*>(self);
    if (info->dlpi_addr != module.load_base_) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info->dlpi_phdr[i];
      const AddressRange range{info->dlpi_addr + segment.p_vaddr, segment.p_memsz};
      if (segment.p_type == PT_LOAD)
        ((segment.p_flags & PF_X) != 0 ? module.code_ : module.data_.emplace_back()) = range;
      if (segment.p_type == PT_TLS) module.tls_bytes_ = segment.p_memsz;
    }
    module.tls_module_ = info->dlpi_tls_modid;
    return 1;
  };
  dl_iterate_phdr(visit, this);
}

AddressRange KernelModule::shared_memory() const {
  if (tls_module_ == 0) return {};
  TlsIndex start{tls_module_, 0};
  return {reinterpret_cast<std::uintptr_t>(__tls_get_addr(&start)), tls_bytes_};
}

AddressRange KernelModule::shared_memory(std::int64_t dynamic_shared_bytes) const {
  AddressRange range = shared_memory();
  if (dynamic_shared_)
    range.bytes = std::min(range.bytes, *dynamic_shared_ + static_cast<std::uint64_t>(dynamic_shared_bytes));
  return range;
}

void KernelModule::read_symbols() {
  for_each_symbol(path_, [&](const char* name, const GElf_Sym& symbol) {
    const auto type = GELF_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF && is_warp_word(name)) has_warp_words_ = true;
    if (type == STT_FUNC) function_symbols_[symbol.st_value] = name;
    if (type == STT_TLS && std::string_view(name) == dynamic_shared_symbol) {
      dynamic_shared_ = symbol.st_value;
      tls_bytes_ = symbol.st_value + symbol.st_size;  // it is the last, and may be empty
    } else if (type == STT_TLS && symbol.st_size != 0) {
      shared_variables_.push_back({own_name(demangled(name)), name, symbol.st_value, symbol.st_size});
    }
  });
  std::sort(shared_variables_.begin(), shared_variables_.end(),
            [](const SharedVariable& a, const SharedVariable& b) { return a.offset < b.offset; });
}

std::int64_t KernelModule::static_shared_bytes(const void* kernel) const {
  const auto address = reinterpret_cast<std::uintptr_t>(called_kernel_ != nullptr ? called_kernel_ : kernel);
  const auto function = function_symbols_.find(address - load_base_);
  if (function == function_symbols_.end()) return 0;
  // A variable `a` of function _Z1fv is called _ZZ1fvE1a; of an extern "C" function f, _ZZ1fE1a.
  const std::string& name = function->second;
  const std::string prefix = name.rfind("_Z", 0) == 0 ? "_ZZ" + name.substr(2) + "E"
                                                      : "_ZZ" + std::to_string(name.size()) + name + "E";
  std::int64_t bytes = 0;
  for (const SharedVariable& variable : shared_variables_)
    if (variable.symbol.rfind(prefix, 0) == 0) bytes += static_cast<std::int64_t>(variable.bytes);
  return bytes;
}

const SharedVariable* KernelModule::shared_variable_at(std::uint64_t offset) const {
  for (const SharedVariable& variable : shared_variables_)
    if (offset - variable.offset < variable.bytes ||
        (variable.offset == dynamic_shared_ && offset >= variable.offset))
      return &variable;
  return nullptr;
}

namespace {

// Where the inlined function of this scope is called.
SourceLine call_of(Dwarf_Die* inlined, Dwarf_Files* files) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0, line = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
      dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0)
    return {};
  const char* name = dwarf_filesrc(files, file, nullptr, nullptr);
  return name == nullptr ? SourceLine{} : SourceLine{name, static_cast<int>(line)};
}

// The prelude, the headers beside the ladder and the toolkit's give words to the kernel: what is done inside of one is done
// on the line that says it.
bool is_word_source(std::string_view file) {
  return is_half_precision_source(file) || file.ends_with("cuda/prelude.h") ||
         (file.starts_with("kernels/") && file.ends_with(".h"));
}

// The inlined functions that hold this address, the outermost first. All of the tree is searched: what a lambda is compiled
// to lies below its type, in the function that has the lambda and not the address.
void add_inlined_at(Dwarf_Die* parent, Dwarf_Addr address, std::vector<Dwarf_Die>& inlined) {
  Dwarf_Die die;
  if (dwarf_child(parent, &die) != 0) return;
  do {
    if (dwarf_tag(&die) == DW_TAG_inlined_subroutine && dwarf_haspc(&die, address) > 0)
      inlined.push_back(die);
    add_inlined_at(&die, address, inlined);
  } while (dwarf_siblingof(&die, &die) == 0);
}

// All those functions are inlined.
SourceLine line_outside_words(Dwfl* session, Dwarf_Addr address, SourceLine line) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = dwfl_addrdie(session, address, &bias);
  Dwarf_Files* files = nullptr;
  std::size_t file_count = 0;
  if (unit == nullptr || dwarf_getsrcfiles(unit, &files, &file_count) != 0) return line;
  std::vector<Dwarf_Die> inlined;
  add_inlined_at(unit, address - bias, inlined);
  for (auto scope = inlined.rbegin(); scope != inlined.rend() && is_word_source(line.file); ++scope)
    line = call_of(&*scope, files);
  return line;
}

}  // namespace

SourceLine KernelModule::line_at(std::uintptr_t address) const {
  const std::lock_guard hold(debug_->lock);
  Dwfl_Line* line = dwfl_getsrc(debug_->session, address);
  int number = 0;
  const char* file =
      line == nullptr ? nullptr : dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
  if (file == nullptr) return {};
  return is_word_source(file) ? line_outside_words(debug_->session, address, {file, number})
                              : SourceLine{file, number};
}

}  // namespace tilewright
