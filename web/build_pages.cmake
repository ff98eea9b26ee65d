# SPDX-License-Identifier: MIT
# NODE NPM WEB OUT MUST: installs the packages that the lock file names, builds the pages into OUT and makes
# OUT/pages.cpp of them. A failure ends the build where MUST is ON; otherwise (no network, perhaps) the program is built
# without pages and says so.

function(failed step output)
  if(MUST STREQUAL "ON")
    message(FATAL_ERROR "${step} failed:\n${output}")
  endif()
  message(WARNING "${step} failed; the program is built without its pages. -DTILEWRIGHT_WEB=ON shows this as an error.\n${output}")
  set(absent "${step} failed when it was built")
  configure_file(${WEB}/absent.cpp.in ${OUT}/pages.cpp @ONLY)
endfunction()

# npm writes this file when everything is installed.
set(installed ${WEB}/node_modules/.package-lock.json)
if(NOT EXISTS ${installed} OR ${WEB}/package-lock.json IS_NEWER_THAN ${installed})
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
                  WORKING_DIRECTORY ${WEB} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    failed("npm ci" "${output}")
    return()
  endif()
endif()
execute_process(COMMAND ${NODE} ${WEB}/build.mjs ${OUT}
                WORKING_DIRECTORY ${WEB} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  failed("web/build.mjs" "${output}")
  return()
endif()
execute_process(COMMAND ${NODE} ${WEB}/embed.mjs ${OUT} ${OUT}/pages.cpp COMMAND_ERROR_IS_FATAL ANY)
