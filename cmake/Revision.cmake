# SPDX-License-Identifier: MIT
# The source revision that goes into every record: looked up at each build, rewritten only when it changed.

add_custom_target(tilewright_revision
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${PROJECT_BINARY_DIR}/generated/revision.h
          -P ${PROJECT_SOURCE_DIR}/cmake/write_revision.cmake
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/revision.h
  COMMENT "" VERBATIM)
