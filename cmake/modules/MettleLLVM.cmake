# Finds LLVM and MLIR. The version Mettle is built against is stated here and nowhere else.

set(METTLE_LLVM_VERSION 22)

find_package(MLIR CONFIG HINTS /usr/lib/llvm-${METTLE_LLVM_VERSION}/lib/cmake/mlir)
if(NOT MLIR_FOUND)
  message(FATAL_ERROR "Mettle needs LLVM and MLIR ${METTLE_LLVM_VERSION}: "
    "install libmlir-${METTLE_LLVM_VERSION}-dev and mlir-${METTLE_LLVM_VERSION}-tools, or set MLIR_DIR")
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL METTLE_LLVM_VERSION)
  message(FATAL_ERROR
    "Mettle needs LLVM and MLIR ${METTLE_LLVM_VERSION}, found ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")
endif()

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# Debian's MLIR archives name the imported target LLVM, which is the dylib. A static build
# re-points that target at the archives, so that no tool needs libLLVM.so where it runs.
if(METTLE_STATIC)
  get_target_property(configurations LLVM IMPORTED_CONFIGURATIONS)
  foreach(configuration ${configurations})
    get_target_property(archive LLVMSupport IMPORTED_LOCATION_${configuration})
    set_target_properties(LLVM PROPERTIES
      IMPORTED_LOCATION_${configuration} ${archive}
      IMPORTED_SONAME_${configuration} "")
  endforeach()
  set_property(TARGET LLVM PROPERTY INTERFACE_LINK_LIBRARIES
    LLVMSupport LLVMCore LLVMBitstreamReader LLVMTargetParser LLVMRemarks LLVMBinaryFormat LLVMDemangle)
endif()

# mettle_prefer_archive(TARGET NAME)
#   In a static build, links an imported library of the system as libNAME.a.
function(mettle_prefer_archive target name)
  if(METTLE_STATIC)
    find_library(METTLE_ARCHIVE_${name} NAMES lib${name}.a REQUIRED)
    get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
    foreach(configuration IN LISTS configurations)
      set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} ${METTLE_ARCHIVE_${name}})
    endforeach()
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${METTLE_ARCHIVE_${name}})
  endif()
endfunction()
mettle_prefer_archive(ZLIB::ZLIB z)
