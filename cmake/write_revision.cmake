# SPDX-License-Identifier: MIT
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE failed)
set(dirty false)
if(failed)
  set(revision "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes)
  if(changes)
    set(dirty true)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"// SPDX-License-Identifier: MIT
#pragma once
namespace tilewright {
constexpr const char* source_revision = \"${revision}\";
constexpr bool source_is_dirty = ${dirty};
}  // namespace tilewright
")
