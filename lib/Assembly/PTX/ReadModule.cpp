//===- ReadModule.cpp - Statements at module scope ------------------------===//
//
// The three directives every module starts with, and what may stand outside functions.
//
//===----------------------------------------------------------------------===//

#include "Foreign.h"
#include "Mettle/Assembly/PTX/Section.h"
#include "Reader.h"
#include <cstring>

using namespace mettle::assembly::ptx;

/// Reads the two numbers of a version; they may not be read as a float, since 8.10 is not 8.1.
bool Reader::readVersion() {
  const char *start = cursor.p;
  auto number = [&](unsigned &value) {
    const char *digits = cursor.p;
    while (isClass(*cursor.p, Digit))
      ++cursor.p;
    return !cursor.since(digits).getAsInteger(10, value);
  };
  if (!number(module.version.major) || *cursor.p++ != '.' || !number(module.version.minor) ||
      isClass(*cursor.p, NameBody) || (*cursor.p == '.' && isClass(cursor.p[1], Digit))) {
    cursor.p = start;
    return expected("a version such as '8.0'");
  }
  module.texts.push_back(sliceOf(cursor.since(start)));
  return true;
}

bool Reader::header() {
  cursor.skip();
  const char *start = cursor.p;
  llvm::StringRef directive = cursor.dotted();
  while (directive.empty() && *cursor.p == '#') {
    readLineMarker();
    cursor.skip();
    start = cursor.p;
    directive = cursor.dotted();
  }
  if (directive != "version") {
    llvm::StringRef format = foreignFormat(module.text);
    stopped = true;
    errors.push_back({offsetOf(start),
                      "expected '.version', found " + found(start, cursor.end) +
                          (format.empty() ? "" : "; this looks like " + format.str()),
                      ""});
    return false;
  }
  cursor.skip();
  item(ItemKind::Version, uint32_t(module.texts.size()));
  if (!readVersion())
    return false;
  cursor.skip();
  start = cursor.p;
  if (cursor.dotted() != "target") {
    cursor.p = start;
    return expected("'.target' after '.version'");
  }
  cursor.skip();
  return readTarget();
}

bool Reader::readTarget() {
  const char *start = cursor.p, *stop = start;
  llvm::StringRef texturing;
  const char *architecture = nullptr;
  do {
    const char *at = cursor.p;
    llvm::StringRef name = cursor.name();
    stop = cursor.p;
    if (name.empty())
      return expected("a target such as 'sm_90'");
    if (name == "texmode_unified" || name == "texmode_independent") {
      if (!texturing.empty() && texturing != name)
        return error(at, "target '" + name + "' contradicts '" + texturing + "'", texturing.begin(),
                     "given here");
      texturing = name;
    } else if (std::optional<Target> target = parseTarget(name)) {
      if (architecture)
        return error(at, "expected one architecture, found a second, '" + name + "'", architecture,
                     "the first is here");
      architecture = at;
      const TargetInfo *row = targetNamed(name);
      if (row && module.version < row->since)
        return error(at,
                     "target '" + name + "' needs '.version " + llvm::Twine(row->since.major) +
                         "." + llvm::Twine(row->since.minor) + "' or later, found '" +
                         module.slice(module.texts.front()) + "'",
                     cursor.begin + module.texts.front().offset, "the version is here");
      if (!module.target.number)
        module.target = *target;
    } else if (name != "debug" && name != "map_f64_to_f32") {
      cursor.p = at;
      return expected("a target such as 'sm_90' or a target option");
    }
    cursor.skip();
  } while (cursor.take(','));
  if (!module.target.number)
    return error(start, "expected an architecture such as 'sm_90' in the first '.target'");
  item(ItemKind::Target, uint32_t(module.texts.size()));
  module.texts.push_back(sliceOf(start, stop));
  return true;
}

bool Reader::readAddressSize() {
  const char *start = cursor.p;
  while (isClass(*cursor.p, NameBody))
    ++cursor.p;
  llvm::StringRef size = cursor.since(start);
  if ((size != "32" && size != "64") || *cursor.p == '.') {
    cursor.p = start;
    return expected("an address size of 32 or 64");
  }
  if (sawAddressSize)
    return error(start, "expected one '.address_size', found a second");
  if (!module.functions.empty() || !module.variables.empty())
    return error(start, "expected '.address_size' before the first declaration");
  sawAddressSize = true;
  module.addressSize = size == "64" ? 64 : 32;
  item(ItemKind::AddressSize, uint32_t(module.texts.size()));
  module.texts.push_back(sliceOf(size));
  return true;
}

void Reader::moduleStatement() {
  const char *start = cursor.p;
  auto done = [&](bool good) {
    if (good)
      return;
    // From the statement's start, so that its braces are counted whole.
    cursor.p = start;
    recover();
  };
  if (*start == '#')
    return readLineMarker();
  if (cursor.at("@@DWARF"))
    return done(readDwarfLine());

  Linkage linkage = Linkage::None;
  llvm::StringRef directive;
  for (;;) {
    const char *at = cursor.p;
    directive = cursor.dotted();
    cursor.skip();
    Linkage found = directive == "visible"  ? Linkage::Visible
                    : directive == "extern" ? Linkage::Extern
                    : directive == "weak"   ? Linkage::Weak
                    : directive == "common" ? Linkage::Common
                                            : Linkage::None;
    if (found == Linkage::None)
      break;
    if (linkage != Linkage::None)
      return done(error(at, "expected one linkage directive, found a second, '." + directive + "'",
                        start, "the first is here"));
    linkage = found;
  }
  if (directive == "entry" || directive == "func")
    return done(readFunction(linkage, directive == "entry"));
  StateSpace space = spaceNamed(directive);
  if (space == StateSpace::Global || space == StateSpace::Const || space == StateSpace::Shared ||
      space == StateSpace::Local || space == StateSpace::Tex)
    return done(readVariable(linkage, space));
  if (linkage != Linkage::None)
    return done(expected("'.entry', '.func' or a variable after a linkage directive"));
  if (directive == "pragma")
    return done(readPragma());
  if (directive == "file")
    return done(readFile());
  if (directive == "section")
    return done(readSection());
  if (directive == "alias")
    return done(readAlias());
  if (directive == "target")
    return done(readTarget());
  if (directive == "address_size")
    return done(readAddressSize());
  cursor.p = start;
  if (directive == "version")
    return done(error(start, "expected one '.version', found a second",
                      cursor.begin + module.texts.front().offset, "the first is here"));
  done(expected("a directive"));
}

bool Reader::readPragma() {
  const char *start = cursor.p, *stop;
  do {
    if (cursor.string().empty())
      return expected("a string");
    stop = cursor.p;
    cursor.skip();
  } while (cursor.take(','));
  item(ItemKind::Pragma, uint32_t(module.texts.size()));
  module.texts.push_back(sliceOf(start, stop));
  return cursor.take(';') || expected("';' after '.pragma'");
}

bool Reader::readFile() {
  SourceFile file;
  const char *start = cursor.p;
  if (!readNumber(file.number, "a file number"))
    return false;
  llvm::StringRef path = cursor.string();
  if (path.empty())
    return expected("a file name in quotes");
  file.path = sliceOf(path);
  cursor.skip();
  while (cursor.take(',')) {
    uint64_t number;
    if (!readNumber(number, "a timestamp or size"))
      return false;
  }
  file.text = sliceFrom(start);
  item(ItemKind::File, uint32_t(module.files.size()));
  module.files.push_back(file);
  return true;
}

bool Reader::readSection() {
  const char *start = cursor.p;
  if (*start == '.')
    cursor.dotted();
  else
    cursor.name();
  Section section;
  section.name = sliceOf(cursor.since(start));
  if (section.name.empty())
    return expected("a section name");
  cursor.skip();
  if (*cursor.p != '{')
    return expected("'{' of a section");
  const char *open = cursor.p;
  cursor.take('{');
  const char *body = cursor.p;
  SectionReader data(module.text, offsetOf(body));
  while (data.next())
    ;
  cursor.p = cursor.begin + data.offset();
  if (!data.fault().empty())
    return error(cursor.p, "expected " + data.fault() + ", found " + found(cursor.p, cursor.end),
                 open, "the section starts here");
  section.body = sliceOf(body, cursor.p);
  cursor.take('}');
  item(ItemKind::Section, uint32_t(module.sections.size()));
  module.sections.push_back(section);
  return true;
}

bool Reader::readAlias() {
  Alias alias;
  for (NameId *name : {&alias.alias, &alias.aliasee}) {
    const char *at = cursor.p;
    llvm::StringRef text = cursor.name();
    if (text.empty())
      return expected("a function name");
    cursor.skip();
    *name = module.names.intern(text);
    if (bindingOf(*name).kind != Binding::Function)
      return error(at, "'" + text + "' is not a declared function");
    if (name == &alias.alias && !cursor.take(','))
      return expected("',' between the two names of '.alias'");
  }
  item(ItemKind::Alias, uint32_t(module.aliases.size()));
  module.aliases.push_back(alias);
  return cursor.take(';') || expected("';' after '.alias'");
}

/// `# 12 "file" 1` as preprocessors leave it, to the end of its line. PTX itself has none.
bool Reader::lineMarker() {
  const char *start = cursor.p++;
  auto blanks = [&] {
    while (*cursor.p == ' ' || *cursor.p == '\t')
      ++cursor.p;
  };
  auto number = [&] {
    const char *digits = cursor.p;
    while (isClass(*cursor.p, Digit))
      ++cursor.p;
    return cursor.p != digits;
  };
  blanks();
  if (!number()) {
    cursor.p = start;
    return expected("a line marker such as '# 1 \"file\"' or preprocessed text");
  }
  const char *stop = cursor.p;
  blanks();
  if (*cursor.p == '"') {
    if (cursor.string().empty())
      return expected("a file name in quotes");
    do {
      stop = cursor.p;
      blanks();
    } while (number());
  }
  if (*cursor.p != '\n' && *cursor.p != '\r' && !cursor.atEnd())
    return expected("the end of the line after a line marker");
  item(ItemKind::LineMarker, uint32_t(module.texts.size()));
  module.texts.push_back(sliceOf(start, stop));
  return true;
}

/// Reads a line marker; what is wrong with it ends with its line.
void Reader::readLineMarker() {
  if (lineMarker())
    return;
  while (*cursor.p != '\n' && !cursor.atEnd())
    ++cursor.p;
}

/// `@@DWARF .byte 1, 2`: the debug data of PTX 1.x, a line each.
bool Reader::readDwarfLine() {
  const char *start = cursor.p;
  cursor.p += llvm::StringRef("@@DWARF").size();
  const char *stop = cursor.p;
  while (isClass(*cursor.p, NameBody) || *cursor.p == ' ' || *cursor.p == '\t' ||
         (*cursor.p && strchr(".,+-:", *cursor.p))) {
    if (*cursor.p != ' ' && *cursor.p != '\t')
      stop = cursor.p + 1;
    ++cursor.p;
  }
  if (*cursor.p != '\n' && *cursor.p != '\r' && *cursor.p != '/' && !cursor.atEnd())
    return expected("names and numbers on a line of '@@DWARF'");
  item(ItemKind::Dwarf, uint32_t(module.texts.size()));
  module.texts.push_back(sliceOf(start, stop));
  return true;
}
