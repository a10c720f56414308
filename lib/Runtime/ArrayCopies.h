//===- ArrayCopies.h - A launch's arrays on a device ------------*- C++ -*-===//
//
// What every device's `run` does with the arrays of a launch: copy each into memory of its own and
// copy all back after the launch. Devices differ in their contexts and memories only.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_RUNTIME_ARRAYCOPIES_H
#define METTLE_LIB_RUNTIME_ARRAYCOPIES_H

#include "Mettle/Runtime/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace mettle::runtime {

/// Memory is a device's: `copyFrom` and `copyTo` move all its bytes. The copies do not move in
/// memory once `copyIn` returned.
template <typename Memory> class ArrayCopies {
public:
  /// Allocates and fills one memory for each array among the arguments, in their order.
  template <typename Context>
  llvm::Error copyIn(Context &context, llvm::ArrayRef<LaunchArgument> arguments) {
    for (const LaunchArgument &argument : arguments) {
      auto *buffer = std::get_if<Buffer>(&argument.value);
      if (!buffer)
        continue;
      llvm::Expected<Memory> memory = context.allocate(buffer->data().size());
      if (!memory)
        return memory.takeError();
      if (llvm::Error error = memory->copyFrom(buffer->data()))
        return error;
      copies.push_back(std::move(*memory));
    }
    return llvm::Error::success();
  }

  /// Copies every memory back into its array.
  llvm::Error copyOut(llvm::MutableArrayRef<LaunchArgument> arguments) {
    size_t next = 0;
    for (LaunchArgument &argument : arguments)
      if (auto *buffer = std::get_if<Buffer>(&argument.value))
        if (llvm::Error error = copies[next++].copyTo(buffer->data()))
          return error;
    return llvm::Error::success();
  }

  const Memory &operator[](size_t array) const { return copies[array]; }

private:
  std::vector<Memory> copies;
};

} // namespace mettle::runtime

#endif // METTLE_LIB_RUNTIME_ARRAYCOPIES_H
