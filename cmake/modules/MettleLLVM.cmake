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
