//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// A .npy file is a magic string, a version, the length of a header, the header (a
// Python dictionary literal with the keys descr, fortran_order and shape) and the
// elements. The header's grammar is read exactly; a value of another form is
// refused by name.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Npy.h"

#include "Mettle/Support/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace llvm;

namespace mettle::runtime {

static constexpr StringLiteral magic = "\x93NUMPY";
/// The data starts at a multiple of this, and so does what follows in memory.
static constexpr size_t headerAlignment = 64;

namespace {

struct Header {
  StringRef description;
  bool fortranOrder;
  SmallVector<uint64_t, 4> shape;
};

/// Reads the dictionary literal of a header.
class HeaderReader {
public:
  explicit HeaderReader(StringRef text) : text(text) {}

  /// Nothing when the header is no such dictionary.
  std::optional<Header> read() {
    Header header;
    unsigned seen = 0;
    if (!eat("{"))
      return std::nullopt;
    while (!eat("}")) {
      StringRef key;
      if (!string(key) || !eat(":"))
        return std::nullopt;
      if (key == "descr" && string(header.description))
        seen |= 1;
      else if (key == "fortran_order" && boolean(header.fortranOrder))
        seen |= 2;
      else if (key == "shape" && tuple(header.shape))
        seen |= 4;
      else
        return std::nullopt;
      if (!eat(",") && !peek("}"))
        return std::nullopt;
    }
    if (seen != 7 || !text.trim().empty())
      return std::nullopt;
    return header;
  }

private:
  bool peek(StringRef token) {
    text = text.ltrim();
    return text.starts_with(token);
  }

  bool eat(StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  }

  bool string(StringRef &value) {
    text = text.ltrim();
    if (text.empty() || (text.front() != '\'' && text.front() != '"'))
      return false;
    size_t end = text.find(text.front(), 1);
    if (end == StringRef::npos)
      return false;
    value = text.slice(1, end);
    text = text.drop_front(end + 1);
    return true;
  }

  bool boolean(bool &value) {
    value = eat("True");
    return value || eat("False");
  }

  bool tuple(SmallVectorImpl<uint64_t> &values) {
    values.clear();
    if (!eat("("))
      return false;
    while (!eat(")")) {
      text = text.ltrim();
      uint64_t value;
      if (text.consumeInteger(10, value))
        return false;
      text.consume_front("L"); // Python 2 wrote its long integers so
      values.push_back(value);
      if (!eat(",") && !peek(")"))
        return false;
    }
    return true;
  }

  StringRef text;
};

} // namespace

static Error failure(StringRef path, const Twine &message) {
  return createStringError("cannot read '" + path + "': " + message);
}

/// Foreign text fit for one line of a message.
static std::string quoted(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  os << '\'';
  printEscapedString(text.take_front(100), os);
  os << '\'';
  return result;
}

/// The header of `bytes` and what follows it.
static Expected<Header> readHeader(StringRef path, StringRef bytes, StringRef &data) {
  if (!bytes.consume_front(magic))
    return failure(path, "expected a .npy file, found other contents");
  auto truncated = [&] {
    return failure(path, "expected a whole .npy header, found the end of the "
                         "file");
  };
  if (bytes.size() < 2)
    return truncated();
  unsigned major = uint8_t(bytes[0]), minor = uint8_t(bytes[1]);
  if (major < 1 || major > 3 || minor != 0)
    return failure(path, "expected .npy version 1.0, 2.0 or 3.0, found " + Twine(major) + "." +
                             Twine(minor));
  bytes = bytes.drop_front(2);
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (bytes.size() < lengthBytes)
    return truncated();
  size_t length = major == 1 ? support::endian::read16le(bytes.data())
                             : support::endian::read32le(bytes.data());
  bytes = bytes.drop_front(lengthBytes);
  if (bytes.size() < length)
    return truncated();
  std::optional<Header> header = HeaderReader(bytes.take_front(length)).read();
  if (!header)
    return failure(path, "expected a .npy header with a simple descr, "
                         "fortran_order and shape, found " +
                             quoted(bytes.take_front(length).rtrim()));
  data = bytes.drop_front(length);
  return *header;
}

static std::optional<ElementType> elementDescribed(StringRef description) {
  for (const ElementRecord &record : elementRecords())
    if (record.npyDescription == description)
      return record.type;
  return std::nullopt;
}

Expected<Buffer> readNpy(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return failure(path, file.getError().message());
  StringRef data;
  Expected<Header> header = readHeader(path, (*file)->getBuffer(), data);
  if (!header)
    return header.takeError();
  std::optional<ElementType> type = elementDescribed(header->description);
  if (!type)
    return failure(path, "expected little-endian integers, f16, f32, f64 or "
                         "bool, found element type " +
                             quoted(header->description));
  if (header->fortranOrder && header->shape.size() > 1)
    return failure(path, "expected C order, found Fortran order");
  std::optional<uint64_t> size = arrayBytes(*type, header->shape);
  if (size != data.size())
    return failure(path, "expected " + (size ? Twine(*size) : Twine("over 2^64")) +
                             " bytes of elements for " + describeArray(*type, header->shape) +
                             ", found " + Twine(data.size()));
  Expected<Buffer> buffer = Buffer::zeros(*type, header->shape);
  if (!buffer)
    return failure(path, toString(buffer.takeError()));
  MutableArrayRef<uint8_t> target = buffer->data();
  std::memcpy(target.data(), data.data(), data.size());
  if (*type == ElementType::Bool && any_of(target, [](uint8_t byte) { return byte > 1; }))
    return failure(path, "expected 0 or 1 in every bool, found another byte");
  return buffer;
}

Expected<Buffer> readNpy(StringRef path, ElementType type, ArrayRef<uint64_t> shape) {
  Expected<Buffer> buffer = readNpy(path);
  if (buffer && (buffer->type() != type || buffer->shape() != shape))
    return failure(path,
                   "expected " + describeArray(type, shape) + ", found " + buffer->describe());
  return buffer;
}

Error writeNpy(StringRef path, const Buffer &buffer) {
  std::string header;
  raw_string_ostream text(header);
  text << "{'descr': '" << recordOf(buffer.type()).npyDescription
       << "', 'fortran_order': False, 'shape': (";
  interleave(buffer.shape(), text, ", ");
  text << (buffer.shape().size() == 1 ? ",), }" : "), }");

  // Spaces and a newline end the header, so that the data is aligned.
  size_t lengthBytes = 2;
  size_t prefix = magic.size() + 2 + lengthBytes;
  if (alignTo(prefix + header.size() + 1, headerAlignment) > UINT16_MAX) {
    lengthBytes = 4;
    prefix += 2;
  }
  size_t end = alignTo(prefix + header.size() + 1, headerAlignment);
  header.resize(end - prefix - 1, ' ');
  header += '\n';

  Expected<OutputFile> file = OutputFile::open(path);
  if (!file)
    return file.takeError();
  raw_ostream &os = file->os();
  os << magic << char(lengthBytes == 2 ? 1 : 2) << '\0';
  for (size_t i = 0; i != lengthBytes; ++i)
    os << char(header.size() >> (8 * i));
  os << header;
  ArrayRef<uint8_t> data = buffer.data();
  os.write(reinterpret_cast<const char *>(data.data()), data.size());
  return file->commit();
}

} // namespace mettle::runtime
