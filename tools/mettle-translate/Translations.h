//===- Translations.h - the translations of mettle-translate -===//
//
// One function a translation.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_TRANSLATE_TRANSLATIONS_H
#define METTLE_TOOLS_TRANSLATE_TRANSLATIONS_H

namespace mettle {

/// --import-mettle: kernel source to MLIR.
void registerImportMettle();

/// --ptx-to-text: the ptx dialect to PTX.
void registerToPTX();
/// --mettle-to-spirv: kernels to a SPIR-V binary. --mettle-to-upstream-spirv: to a spirv.module.
void registerToSPIRV();

} // namespace mettle

#endif // METTLE_TOOLS_TRANSLATE_TRANSLATIONS_H
