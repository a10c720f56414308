"""Shows that each rule of scripts/check_tree.py fires on a tree that breaks it, and only there."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "scripts"))
import check_tree  # noqa: E402

PROSE = "// Says why this file exists.\n"


def clean_tree() -> dict:
    """A small tree without findings."""
    return {
        "include/Mettle/Assembly/Reader.h": PROSE + '#include "llvm/ADT/StringRef.h"\n',
        "lib/Assembly/Reader.cpp": PROSE + '#include "Mettle/Assembly/Reader.h"\nauto text = "add.rn.f32";\n',
        "unittests/Assembly/ReaderTest.cpp": PROSE,
        "include/Mettle/Dialect/PTX/IR/Ops.h": PROSE + '#include "mlir/IR/Builders.h"\n',
        "include/Mettle/Dialect/PTX/IR/Insts.td": PROSE + 'def X : PTX_Inst<"add.rn.f32 $d, $a;">;\n',
        "lib/Dialect/PTX/IR/Ops.cpp": PROSE + '#include "Mettle/Dialect/PTX/IR/Ops.h"\n',
        "test/Dialect/PTX/IR/ops.mlir": PROSE + "// RUN: true\n",
        "include/Mettle/Target/PTX/Emitter.h": PROSE,
        "lib/Target/PTX/Emitter.cpp": PROSE + 'auto header = ".version 8.8\\n";\n',
        "test/Target/PTX/emitter.mlir": PROSE,
        "scripts/tool.py": '#!/usr/bin/env python3\n"""Says why this file exists."""\n',
        "cmake/modules/Tool.cmake": "# Says why this file exists.\n",
    }


class Rules(unittest.TestCase):
    def findings(self, changes: dict) -> list:
        files = {**clean_tree(), **changes}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                if text is not None:
                    path = pathlib.Path(folder, name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text)
            return list(check_tree.findings(pathlib.Path(folder)))

    def assert_finds(self, changes: dict, *expected: str):
        self.assertEqual(self.findings(changes), list(expected))

    def test_clean_tree_has_no_finding(self):
        self.assert_finds({})

    def test_every_rule_is_shown_to_fire(self):
        tested = {name[len("test_fires_"):].split("__")[0].replace("_", "-") for name in dir(self)
                  if name.startswith("test_fires_")}
        self.assertEqual(tested, set(check_tree.RULES))

    def test_fires_mirrored_paths__library_without_header(self):
        self.assert_finds({"lib/Checker/Walk.cpp": PROSE, "unittests/Checker/WalkTest.cpp": PROSE},
                          "lib/Checker: [mirrored-paths] expected public headers in include/Mettle/Checker, found none")

    def test_fires_mirrored_paths__library_without_test(self):
        self.assert_finds({"unittests/Assembly/ReaderTest.cpp": None},
                          "lib/Assembly: [mirrored-paths] expected tests in test/Assembly or unittests/Assembly, "
                          "found none")

    def test_fires_mirrored_paths__header_without_library(self):
        self.assert_finds({"include/Mettle/Checker/Walk.h": PROSE},
                          "include/Mettle/Checker: [mirrored-paths] expected sources in lib/Checker, found none")

    def test_fires_mirrored_paths__templates_without_test(self):
        self.assert_finds({"include/Mettle/Math/Walk.h": PROSE},
                          "include/Mettle/Math: [mirrored-paths] expected tests in unittests/Math, found none")

    def test_fires_mirrored_paths__test_of_nothing(self):
        self.assert_finds({"test/Assembler/x.test": PROSE},
                          "test/Assembler: [mirrored-paths] expected lib/Assembler to be what this tests, found no "
                          "such folder")

    def test_part_of_a_library_may_have_tests_of_its_own(self):
        self.assert_finds({"test/Target/PTX/Parts/x.test": PROSE})
        self.assert_finds({"test/Target/Parts/x.test": PROSE},
                          "test/Target/Parts: [mirrored-paths] expected lib/Target/Parts to be what this tests, found "
                          "no such folder")

    def test_fires_file_length(self):
        self.assert_finds({"lib/Assembly/Reader.cpp": PROSE + "int x;\n" * 799})
        self.assert_finds({"lib/Assembly/Reader.cpp": PROSE + "int x;\n" * 800},
                          "lib/Assembly/Reader.cpp: [file-length] expected at most 800 lines, found 801")

    def test_fires_file_names(self):
        for name in ("Utils", "ReaderUtils", "misc", "lit_common", "HelpersTest", "PTXHelper"):
            self.assert_finds({f"lib/Assembly/{name}.cpp": PROSE},
                              f"lib/Assembly/{name}.cpp: [file-names] expected a name that says what is inside, "
                              f"found '{name}'")
        self.assert_finds({"lib/Assembly/Commonality.cpp": PROSE, "lib/Assembly/HelperCalls.cpp": PROSE})

    def test_fires_dependency_edges__components(self):
        self.assert_finds({"lib/Assembly/Reader.cpp": PROSE + '\n#include "Mettle/Dialect/PTX/IR/Ops.h"\n'},
                          "lib/Assembly/Reader.cpp:3: [dependency-edges] expected Assembly not to depend on "
                          "Dialect/PTX, found 'Mettle/Dialect/PTX/IR/Ops.h'")

    def test_fires_dependency_edges__tablegen(self):
        self.assert_finds({"include/Mettle/Dialect/PTX/IR/Insts.td":
                           PROSE + 'include "Mettle/Dialect/Mettle/IR/MettleBase.td"\n'},
                          "include/Mettle/Dialect/PTX/IR/Insts.td:2: [dependency-edges] expected Dialect/PTX not to "
                          "depend on Dialect/Mettle, found 'Mettle/Dialect/Mettle/IR/MettleBase.td'")

    def test_fires_dependency_edges__mlir(self):
        self.assert_finds({"lib/Assembly/Reader.cpp": PROSE + '#include "mlir/IR/Value.h"\n'},
                          "lib/Assembly/Reader.cpp:2: [dependency-edges] expected Assembly to include no MLIR header, "
                          "found 'mlir/IR/Value.h'")

    def test_fires_dependency_edges__llvm(self):
        self.assert_finds({"lib/Assembly/Reader.cpp": PROSE + "#include <llvm/IR/Value.h>\n"},
                          "lib/Assembly/Reader.cpp:2: [dependency-edges] expected Assembly to use LLVM's ADT and "
                          "Support only, found 'llvm/IR/Value.h'")

    def test_fires_dependency_edges__unknown_component(self):
        self.assert_finds({"include/Mettle/Extra/X.h": PROSE, "lib/Extra/X.cpp": PROSE, "test/Extra/x.mlir": PROSE},
                          "include/Mettle/Extra/X.h: [dependency-edges] expected a component that check_tree.py "
                          "knows, found 'Extra'",
                          "lib/Extra/X.cpp: [dependency-edges] expected a component that check_tree.py knows, found "
                          "'Extra'")

    def test_fires_environment(self):
        for call in ("getenv(", "std::getenv (", "secure_getenv(", "sys::Process::GetEnv("):
            self.assertEqual(len(self.findings({"lib/Assembly/Reader.cpp": PROSE + f'auto x = {call}"X");\n'})), 1)

    def test_fires_opening_paragraph(self):
        banner = "//===- Reader.cpp - a reader -===//\n"
        for name, text in {"lib/Assembly/Reader.cpp": "#include <vector>\n" + PROSE,
                           "include/Mettle/Assembly/Reader.h": banner + "//\n//===---===//\n",
                           "scripts/tool.py": "import sys\n",
                           "cmake/modules/Tool.cmake": "set(X 1)\n# Says why this file exists.\n",
                           "test/Target/PTX/emitter.mlir": "// RUN: mettle-opt %s | FileCheck %s\n",
                           "test/Target/PTX/x.test": "RUN: mettle --help\n"}.items():
            self.assert_finds({name: text}, f"{name}:1: [opening-paragraph] expected a comment that says why the file "
                                            "exists, found none")

    def test_prose_of_a_test_may_follow_its_run_lines(self):
        self.assert_finds({"test/Target/PTX/emitter.mlir": "// RUN: true\n\n// Says what is tested.\n"})

    def test_fires_target_text__instructions(self):
        for text in ("add.rn.f32 ", "ld.global.v4.f32", "bar.sync 0;", "mma.sync.aligned.m16n8k16", "@%p st.shared.u8",
                     "cvt.rn.bf16x2.f32", "cp.async.bulk.commit_group;", "mov.b64 "):
            found = self.findings({"lib/Target/PTX/Emitter.cpp": PROSE + f'auto text = "x; {text}";\n'})
            self.assertEqual(len(found), 1, text)
            self.assertIn("Emitter.cpp:2: [target-text] expected no target assembly text, found", found[0])

    def test_fires_target_text__raw_literal(self):
        found = self.findings({"lib/Target/PTX/Emitter.cpp": PROSE + 'auto x = R"(\n fma.rn.f32 %a;)";\n'})
        self.assertEqual(len(found), 1)

    def test_fires_target_text__directives(self):
        for text in (".reg .b32 %r;", ".entry k(", ".shared .align 4 .b8"):
            found = self.findings({"lib/Dialect/PTX/IR/Ops.cpp": PROSE + f'auto text = "{text}";\n'})
            self.assertEqual(len(found), 1, text)

    def test_target_text_leaves_other_text_alone(self):
        self.assert_finds({"lib/Dialect/PTX/IR/Ops.cpp": PROSE + """
// As add.rn.f32 does.
auto a = "mettle.load", b = "math.fma", c = "expected a global pointer", d = "and.", e = 'x', f = "arith.mul.lo";
"""})

    def test_fires_machine_paths(self):
        folder = "/" + "work/tree"
        self.assert_finds({"docs/page.md": f"Built in {folder}.\n"},
                          "docs/page.md:1: [machine-paths] expected no path of one machine, found '/" + "work/t'")
        self.assertEqual(len(self.findings({"docs/page.md": "see .." + "/shared/design.md\n"})), 1)
        self.assert_finds({"docs/page.md": "frame" + "work/tree and https://example.org/" + "home/page\n"})

    def test_fires_documented_paths(self):
        page = "See [it](../lib/Assembly/Reader.cpp), [x](https://example.org/x), `lib/Assembly`, `test/FAMILY.mlir`.\n"
        self.assert_finds({"docs/page.md": page})
        self.assert_finds({"docs/page.md": "\n[it](lib/Assembly/Reader.cpp)\n"},
                          "docs/page.md:2: [documented-paths] expected a file to link to, found "
                          "'lib/Assembly/Reader.cpp'")
        self.assert_finds({"docs/page.md": "In `lib/Assembler/`.\n"},
                          "docs/page.md:1: [documented-paths] expected a file of the tree, found 'lib/Assembler'")


if __name__ == "__main__":
    unittest.main()
