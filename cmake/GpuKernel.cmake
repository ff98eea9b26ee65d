# SPDX-License-Identifier: MIT
# How a .cu file is compiled for the GPU. A warning is an error, and so are the ptxas warnings that mean a kernel is not
# what its source says: C7508 (setmaxnreg ignored), C7510 and C7515 (wgmma serialised).

find_program(NVCC nvcc HINTS /usr/local/cuda/bin REQUIRED)

set(GPU_CODE_FLAGS)
set(GPU_MACHINE_CODE_FLAGS)
foreach(gpu_target ${TILEWRIGHT_GPU_TARGETS})
  string(REGEX REPLACE "^(sm|compute)_" "" arch ${gpu_target})
  list(APPEND GPU_CODE_FLAGS "-gencode=arch=compute_${arch},code=${gpu_target}")
  if(gpu_target MATCHES "^sm_")
    list(APPEND GPU_MACHINE_CODE_FLAGS "-gencode=arch=compute_${arch},code=${gpu_target}")
  endif()
endforeach()
if(NOT GPU_MACHINE_CODE_FLAGS)
  set(GPU_MACHINE_CODE_FLAGS ${GPU_CODE_FLAGS})
endif()
set(GPU_COMPILE_FLAGS -std=c++20 -O3 -lineinfo -Werror all-warnings -Xptxas -warn-spills,-v
    -Xcompiler -Wall,-fPIC -I${PROJECT_SOURCE_DIR} -ccbin ${CMAKE_CXX_COMPILER})
string(JOIN " " GPU_COMPILE_FLAGS_TEXT ${GPU_CODE_FLAGS} -O3)

# add_gpu_kernels(target [MACHINE_CODE] sources…): a library to link with each source's device code. MACHINE_CODE leaves out
# PTX for other GPUs, which takes as long again to make.
function(add_gpu_kernels target)
  cmake_parse_arguments(kernels "MACHINE_CODE" "" "" ${ARGN})
  set(code_flags ${GPU_CODE_FLAGS})
  if(kernels_MACHINE_CODE)
    set(code_flags ${GPU_MACHINE_CODE_FLAGS})
  endif()
  set(objects)
  foreach(source ${kernels_UNPARSED_ARGUMENTS})
    cmake_path(GET source STEM stem)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/gpu/${stem}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/gpu
      COMMAND ${CMAKE_COMMAND} -DLOG=${object}.log -P ${PROJECT_SOURCE_DIR}/cmake/run_nvcc.cmake --
              ${NVCC} ${code_flags} ${GPU_COMPILE_FLAGS} -MMD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      DEPENDS ${source} ${PROJECT_SOURCE_DIR}/cmake/run_nvcc.cmake
      DEPFILE ${object}.d
      COMMENT "GPU kernels ${stem}"
      VERBATIM COMMAND_EXPAND_LISTS)
    list(APPEND objects ${object})
  endforeach()
  # Objects named by path, since each registers its rungs by itself: from an archive the linker would leave them out.
  add_custom_target(${target}_objects DEPENDS ${objects})
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_objects)
  target_link_libraries(${target} INTERFACE ${objects})
endfunction()
