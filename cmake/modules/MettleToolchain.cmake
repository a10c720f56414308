# Compiler and linker settings that hold for every target of this project.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# LLVM as Debian ships it: RTTI, no exceptions. Floating point is strict: the library models are
# bit-exact, so the compiler may neither contract nor reassociate.
add_compile_options(
  -Wall -Wextra -Werror -Wno-unused-parameter -Wimplicit-fallthrough
  -fno-exceptions -fvisibility-inlines-hidden -ffunction-sections -fdata-sections
  -ffp-contract=off)
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${llvm_definitions})

include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

find_program(METTLE_LLD NAMES ld.lld-${METTLE_LLVM_VERSION} ld.lld)
if(METTLE_LLD)
  add_link_options(--ld-path=${METTLE_LLD})
endif()
if(METTLE_STATIC)
  # Nothing throws, so nothing unwinds.
  add_compile_options(-fno-unwind-tables -fno-asynchronous-unwind-tables)
  add_link_options(-Wl,--gc-sections -Wl,--icf=all -static-libstdc++ -static-libgcc -Wl,--as-needed)
endif()

find_program(METTLE_CCACHE ccache)
if(METTLE_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${METTLE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${METTLE_CCACHE})
endif()

if(METTLE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
