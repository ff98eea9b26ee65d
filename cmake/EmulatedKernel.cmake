# SPDX-License-Identifier: MIT
# How a .cu file becomes a module for the emulator: unmodified, by the host compiler. The same flags compile the rungs
# at build time and, through emulated_flags.h, a user's file at run time.

set(EMULATED_COMPILE_FLAGS
    -x c++ -std=c++20 -fPIC -g
    # -Og keeps the source's accesses one to one, and a float4 one 16-byte access with it; -O1 and above split it.
    # Jump threading would make two barriers of one that stands between two branches on one condition.
    -Og -fno-tree-sra -fno-thread-jumps
    # Callbacks for every access and every basic block; the emulator provides them, no sanitizer runtime is linked.
    -fsanitize=thread -fsanitize-coverage=trace-pc --param tsan-instrument-func-entry-exit=0
    # Two modules may define a template of one name; without this their shared memory would be one variable.
    -fno-gnu-unique -fvisibility=hidden
    # A tensor map is a parameter of an alignment that GCC before 4.6 passed in another way, and it says so each time.
    -Wno-psabi
    # `extern __shared__` names memory, not an object whose initialiser might have to run first.
    -fno-extern-tls-init)
set(EMULATED_LINK_FLAGS
    -shared -Wl,-Bsymbolic -Wl,--as-needed
    -Wl,--wrap=memcpy -Wl,--wrap=memmove -Wl,--wrap=memset -Wl,--wrap=__assert_fail)

list(JOIN EMULATED_COMPILE_FLAGS "\", \"" quoted)
set(EMULATED_COMPILE_FLAGS_QUOTED "\"${quoted}\"")
list(JOIN EMULATED_LINK_FLAGS "\", \"" quoted)
set(EMULATED_LINK_FLAGS_QUOTED "\"${quoted}\"")
configure_file(${PROJECT_SOURCE_DIR}/cmake/emulated_flags.h.in ${PROJECT_BINARY_DIR}/generated/emulated_flags.h)

# compile_emulated_kernels(sources…): an object a source, where emulated_object says, and beside it the assembly that
# defines its dynamic shared memory. The source goes to share/tilewright/source/ as well: traces show it.
function(compile_emulated_kernels)
  foreach(source ${ARGN})
    emulated_object(object ${source})
    cmake_path(GET source STEM stem)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE shown)
    cmake_path(GET shown PARENT_PATH shown_folder)
    add_custom_command(
      OUTPUT ${object} ${object}.s
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/emulated
              ${TILEWRIGHT_SHARE}/source/${shown_folder}
      COMMAND ${CMAKE_COMMAND} -E copy ${source} ${TILEWRIGHT_SHARE}/source/${shown}
      COMMAND ${CMAKE_CXX_COMPILER} ${EMULATED_COMPILE_FLAGS} -Wall -Wextra -Werror -Wno-unknown-pragmas
              -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -I${PROJECT_SOURCE_DIR}
              -I${PROJECT_SOURCE_DIR}/emulator/cuda/include -include ${PROJECT_SOURCE_DIR}/emulator/cuda/prelude.h
              -MMD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      COMMAND tilewright_dynamic_shared ${object} ${object}.s
      DEPENDS ${source} tilewright_dynamic_shared
      DEPFILE ${object}.d
      COMMENT "Emulated kernels ${stem}"
      VERBATIM COMMAND_EXPAND_LISTS)
  endforeach()
endfunction()

function(emulated_object variable source)
  cmake_path(GET source STEM stem)
  set(${variable} ${CMAKE_CURRENT_BINARY_DIR}/emulated/${stem}.o PARENT_SCOPE)
endfunction()

# link_emulated_kernels(target output-folder callbacks sources…): one module a source, named as it is; built with
# `target`. `callbacks` is the library target that holds the emulator's callbacks, or PROGRAM when the program that
# loads the modules does.
function(link_emulated_kernels target folder callbacks)
  set(library)
  if(NOT callbacks STREQUAL "PROGRAM")
    set(library $<TARGET_FILE:${callbacks}>)
  endif()
  set(modules)
  foreach(source ${ARGN})
    emulated_object(object ${source})
    cmake_path(GET source STEM stem)
    set(module ${folder}/${stem}.so)
    add_custom_command(
      OUTPUT ${module}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${CMAKE_CXX_COMPILER} ${EMULATED_LINK_FLAGS} ${object} ${library} ${object}.s -o ${module}
      DEPENDS ${object} ${object}.s ${library}
      COMMENT "Emulator module ${stem}"
      VERBATIM COMMAND_EXPAND_LISTS)
    list(APPEND modules ${module})
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${modules})
endfunction()

# add_emulated_kernels(target output-folder sources…): compiled, and linked for a program.
function(add_emulated_kernels target folder)
  compile_emulated_kernels(${ARGN})
  link_emulated_kernels(${target} ${folder} PROGRAM ${ARGN})
endfunction()
