//===- Checker.h - The PTX checker from C -------------------------*- C -*-===//
//
// Whether compiled kernels return the same bits: a class key of each, to be compared for equality.
// See docs/checker.md for what a key promises.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_C_CHECKER_H
#define METTLE_C_CHECKER_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define METTLE_C_EXPORT __declspec(dllexport)
#else
#define METTLE_C_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of a launch. */
typedef struct MettleLaunch {
  const char *entry;       /* name of the entry; NULL for the only one */
  uint32_t block[3];       /* threads; zeros where .reqntid says or nobody knows */
  uint32_t grid[3];        /* blocks; zeros where they are not known */
  uint64_t dynamicShared;  /* bytes */
  size_t scalarCount;      /* entries of the two arrays */
  const uint8_t *isKnown;  /* by number of the parameter: 0 for a pointer or an unknown value */
  const uint64_t *scalars; /* bits of the values, in the low bytes */
} MettleLaunch;

typedef enum MettleAnswer {
  METTLE_CLASSIFIED = 0, /* there is a key */
  METTLE_UNKNOWN = 2,    /* there is a reason */
  METTLE_UNUSABLE = 3    /* the text or the launch could not be used: there is a message */
} MettleAnswer;

typedef struct MettleSignature MettleSignature;

/* Analyses one kernel; never NULL. To be destroyed by the caller. Several threads may call it. */
METTLE_C_EXPORT MettleSignature *mettleSignatureCreate(const char *ptx, size_t length,
                                                       const MettleLaunch *launch);
METTLE_C_EXPORT void mettleSignatureDestroy(MettleSignature *signature);

METTLE_C_EXPORT MettleAnswer mettleSignatureAnswer(const MettleSignature *signature);
/* 32 hexadecimal digits; empty if there is no key. Lives as long as the signature. */
METTLE_C_EXPORT const char *mettleSignatureKey(const MettleSignature *signature);
/* Why there is no key; empty if there is one. */
METTLE_C_EXPORT const char *mettleSignatureReason(const MettleSignature *signature);
/* Line of the instruction that stands in the way, from 1; 0 if there is none. */
METTLE_C_EXPORT uint32_t mettleSignatureLine(const MettleSignature *signature);
/* Whether the key holds an operation that ptxas may contract: equal keys are then equal as far as
   ptxas treats them alike. */
METTLE_C_EXPORT int mettleSignatureIsPtxasDependent(const MettleSignature *signature);

#ifdef __cplusplus
}
#endif

#endif /* METTLE_C_CHECKER_H */
