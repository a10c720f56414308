//===- Report.cpp - Arrays for people and for programs --------------------===//
//
// One summary of an array, printed in two ways.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace llvm;

namespace mettle::runtime {

namespace {

struct Summary {
  uint64_t hash;
  /// Bits of the least and the greatest element; nothing without a number.
  std::optional<uint64_t> least, greatest;
  uint64_t nans = 0, infinities = 0;
};

} // namespace

/// A key that orders the elements other than NaN, with -0 below +0.
static uint64_t orderKey(const ElementRecord &record, uint64_t bits) {
  uint64_t sign = uint64_t(1) << (record.bits() - 1);
  switch (record.kind) {
  case ElementKind::Signed:
    return bits ^ sign;
  case ElementKind::Float:
    return bits & sign ? ~bits & maskTrailingOnes<uint64_t>(record.bits()) : bits | sign;
  case ElementKind::Unsigned:
  case ElementKind::Bool:
    break;
  }
  return bits;
}

static Summary summarise(const Buffer &buffer) {
  const ElementRecord &record = recordOf(buffer.type());
  Summary summary;
  summary.hash = hashOf(buffer);
  uint64_t fractionMask = maskTrailingOnes<uint64_t>(record.fractionBits);
  uint64_t exponentMask = maskTrailingOnes<uint64_t>(record.bits() - 1) & ~fractionMask;
  bool isFloat = record.kind == ElementKind::Float;
  uint64_t leastKey = UINT64_MAX, greatestKey = 0;
  for (uint64_t i = 0, end = buffer.size(); i != end; ++i) {
    uint64_t bits = buffer.bitsAt(i);
    if (isFloat && (bits & exponentMask) == exponentMask) {
      if (bits & fractionMask) {
        ++summary.nans;
        continue;
      }
      ++summary.infinities;
    }
    uint64_t key = orderKey(record, bits);
    if (!summary.least || key < leastKey) {
      leastKey = key;
      summary.least = bits;
    }
    if (!summary.greatest || key > greatestKey) {
      greatestKey = key;
      summary.greatest = bits;
    }
  }
  return summary;
}

uint64_t hashOf(const Buffer &buffer) { return xxh3_64bits(buffer.data()); }

static std::string hexadecimal(uint64_t value) {
  std::string text;
  raw_string_ostream(text) << format_hex(value, 18);
  return text;
}

/// "0 1 2 3 ... 1022 1023".
static std::string excerpt(const Buffer &buffer) {
  constexpr uint64_t first = 4, last = 2;
  std::string text;
  for (uint64_t i = 0, end = buffer.size(); i < end; ++i) {
    if (end > first + last && i == first) {
      text += " ...";
      i = end - last;
    }
    if (i)
      text += ' ';
    text += printElement(buffer.type(), buffer.bitsAt(i));
  }
  return text;
}

void printTable(raw_ostream &os, ArrayRef<NamedBuffer> arrays) {
  using Row = std::array<std::string, 8>;
  std::vector<Row> rows = {{"array", "type", "hash", "min", "max", "nan", "inf", "elements"}};
  for (const NamedBuffer &array : arrays) {
    ElementType type = array.buffer->type();
    Summary summary = summarise(*array.buffer);
    auto number = [&](std::optional<uint64_t> bits) {
      return bits ? printElement(type, *bits) : std::string("-");
    };
    rows.push_back({array.name, array.buffer->describe(), hexadecimal(summary.hash),
                    number(summary.least), number(summary.greatest), std::to_string(summary.nans),
                    std::to_string(summary.infinities), excerpt(*array.buffer)});
  }
  std::array<size_t, std::tuple_size<Row>::value> widths{};
  for (const Row &row : rows)
    for (auto [width, cell] : zip_equal(widths, row))
      width = std::max(width, cell.size());
  for (const Row &row : rows) {
    for (size_t i = 0; i + 1 != row.size(); ++i)
      os << left_justify(row[i], unsigned(widths[i])) << "  ";
    os << row.back() << '\n';
  }
}

/// The element as JSON: a number or a boolean, else a string.
static void writeElement(json::OStream &json, ElementType type, uint64_t bits) {
  std::string text = printElement(type, bits);
  bool isNumber =
      recordOf(type).kind != ElementKind::Float || std::isfinite(elementAsDouble(type, bits));
  if (isNumber)
    json.rawValue(text);
  else
    json.value(text);
}

void printJSON(raw_ostream &os, ArrayRef<NamedBuffer> arrays, uint64_t elementLimit) {
  json::OStream json(os, /*IndentSize=*/2);
  json.array([&] {
    for (const NamedBuffer &array : arrays) {
      const Buffer &buffer = *array.buffer;
      ElementType type = buffer.type();
      Summary summary = summarise(buffer);
      auto number = [&](StringRef key, std::optional<uint64_t> bits) {
        json.attributeBegin(key);
        if (bits)
          writeElement(json, type, *bits);
        else
          json.value(nullptr);
        json.attributeEnd();
      };
      json.object([&] {
        json.attribute("name", array.name);
        json.attribute("type", recordOf(type).name);
        json.attributeArray("shape", [&] {
          for (uint64_t extent : buffer.shape())
            json.value(extent);
        });
        json.attribute("hash", hexadecimal(summary.hash));
        number("min", summary.least);
        number("max", summary.greatest);
        json.attribute("nan", summary.nans);
        json.attribute("inf", summary.infinities);
        json.attributeArray("elements", [&] {
          uint64_t end = std::min(elementLimit, buffer.size());
          for (uint64_t i = 0; i != end; ++i)
            writeElement(json, type, buffer.bitsAt(i));
        });
      });
    }
  });
  os << '\n';
}

} // namespace mettle::runtime
