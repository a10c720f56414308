//===- ArithmeticTest.cpp - operators and conversions mean what the page says -===//
//
// Every operator on every pair of integer types, every conversion between scalar types and the
// float operators, on values at the edges. What is expected comes from C++'s own conversions, where
// they are defined, with the language's rules for the rest.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

using namespace mettle;
using namespace mettle::frontend;
using interpreter::Interpreter;

namespace {
class Arithmetic : public Execution {};

template <typename T> struct Spelling;
#define SPELLING(type, text)                                                                       \
  template <> struct Spelling<type> {                                                              \
    static constexpr const char *value = text;                                                     \
  };
SPELLING(bool, "bool")
SPELLING(int8_t, "int8")
SPELLING(int16_t, "int16")
SPELLING(int32_t, "int32")
SPELLING(int64_t, "int64")
SPELLING(uint8_t, "uint8")
SPELLING(uint16_t, "uint16")
SPELLING(uint32_t, "uint32")
SPELLING(uint64_t, "uint64")
SPELLING(float, "float32")
SPELLING(double, "float64")
#undef SPELLING

template <typename... T> struct Types {};
using Integers =
    Types<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
using Floats = Types<float, double>;

/// Calls `body` with a value of each type of a list; only its type matters.
template <typename... T, typename Body> void forEach(Types<T...>, Body body) { (body(T()), ...); }

template <typename T> std::vector<T> edges() {
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    return {0,
            1,
            static_cast<T>(-1),
            2,
            7,
            31,
            33,
            static_cast<T>(-7),
            Limits::min(),
            Limits::max(),
            static_cast<T>(Limits::max() - 1),
            static_cast<T>(Limits::max() / 3)};
  } else {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values{0,
                          T(0.5),
                          T(0.99999),
                          1,
                          T(1.5),
                          T(2.5),
                          T(3.25),
                          T(126.5),
                          T(127.99),
                          128,
                          T(255.5),
                          256,
                          32767,
                          32768,
                          65535,
                          65536,
                          T(2147483520),
                          T(2147483647),
                          T(2147483648),
                          T(4294967040),
                          T(4294967296),
                          T(9223371487098961920.0),
                          T(9223372036854775807),
                          T(18446742974197923840.0),
                          T(18446744073709551615u),
                          T(1e30),
                          T(16777217),
                          Limits::max(),
                          Limits::min(),
                          Limits::denorm_min(),
                          Limits::infinity(),
                          Limits::quiet_NaN()};
    size_t count = values.size();
    for (size_t i = 0; i < count; ++i)
      values.push_back(-values[i]);
    return values;
  }
}

const char *const operators[] = {"+", "-",  "*",  "/",  "%", "<<", ">>", "<",  "<=",
                                 ">", ">=", "==", "!=", "&", "^",  "|",  "&&", "||"};

/// The operator at the index on two values of its common type; a shift's count keeps its own.
template <typename C, typename Count> int64_t apply(unsigned op, C a, C b, Count count) {
  using U = std::make_unsigned_t<C>;
  constexpr unsigned width = sizeof(C) * 8;
  switch (op) {
  case 0:
    return static_cast<C>(U(a) + U(b));
  case 1:
    return static_cast<C>(U(a) - U(b));
  case 2:
    return static_cast<C>(U(a) * U(b));
  case 3:
    return b == 0                              ? static_cast<C>(-1)
           : std::is_signed_v<C> && b == C(-1) ? static_cast<C>(U(0) - U(a))
                                               : a / b;
  case 4:
    return b == 0 ? a : std::is_signed_v<C> && b == C(-1) ? C(0) : a % b;
  case 5:
    return static_cast<C>(U(a) << (static_cast<uint64_t>(count) % width));
  case 6:
    return a >> (static_cast<uint64_t>(count) % width);
  case 7:
    return a < b;
  case 8:
    return a <= b;
  case 9:
    return a > b;
  case 10:
    return a >= b;
  case 11:
    return a == b;
  case 12:
    return a != b;
  case 13:
    return a & b;
  case 14:
    return a ^ b;
  case 15:
    return a | b;
  case 16:
    return a && b;
  default:
    return a || b;
  }
}

/// A conversion that the page defines: C++'s where that is defined, saturating else.
template <typename To, typename From> To converted(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != 0;
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(value))
      return 0;
    using Limits = std::numeric_limits<To>;
    From least = static_cast<From>(Limits::min());
    From beyond = std::ldexp(From(1), Limits::digits);
    return value >= beyond  ? Limits::max()
           : value <= least ? Limits::min()
                            : static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}
} // namespace

TEST_F(Arithmetic, EveryOperatorOnEveryPairOfIntegers) {
  forEach(Integers(), [&](auto a) {
    forEach(Integers(), [&](auto b) {
      using A = decltype(a);
      using B = decltype(b);
      std::string text = std::string("kernel k(out: int64*, a: ") + Spelling<A>::value +
                         ", b: " + Spelling<B>::value + ") {\n";
      for (unsigned op = 0; op < std::size(operators); ++op)
        text += "out[" + std::to_string(op) + "] = (int64)(a " + operators[op] + " b);\n";
      auto module = compile(text + "}\n");
      ASSERT_TRUE(module);
      Interpreter machine(*module);
      for (A left : edges<A>())
        for (B right : edges<B>()) {
          int64_t out[std::size(operators)];
          run(machine, out, sizeof(out), {argument(left), argument(right)});
          // C++'s integer promotion and conversions are the language's.
          using P = decltype(+left);
          using C = decltype(left + right);
          for (unsigned op = 0; op < std::size(operators); ++op) {
            bool shift = op == 5 || op == 6;
            int64_t expected = shift ? apply<P>(op, left, P(right), right)
                                     : apply<C>(op, C(left), C(right), right);
            EXPECT_EQ(out[op], expected)
                << Spelling<A>::value << " " << +left << " " << operators[op] << " "
                << Spelling<B>::value << " " << +right;
          }
        }
    });
  });
}

TEST_F(Arithmetic, ConstantOperandsChangeNothing) {
  // A known operand lets the frontend leave out checks; the value stays the same.
  const int32_t values[] = {0, 1, -1, 2, 7, -7, 31, 32, 33, -2147483647, 2147483647, INT32_MIN};
  for (int32_t known : values) {
    std::string literal = "(" + (known == INT32_MIN ? "-2147483648" : std::to_string(known)) + ")";
    std::string text = "kernel k(out: int32*, a: int32) {\n";
    for (unsigned op = 0; op < std::size(operators); ++op)
      text += "out[" + std::to_string(2 * op) + "] = a " + operators[op] + " " + literal +
              ";\nout[" + std::to_string(2 * op + 1) + "] = " + literal + " " + operators[op] +
              " a;\n";
    auto module = compile(text + "}\n");
    ASSERT_TRUE(module);
    Interpreter machine(*module);
    for (int32_t a : values) {
      int32_t out[2 * std::size(operators)];
      run(machine, out, sizeof(out), {argument(a)});
      for (unsigned op = 0; op < std::size(operators); ++op) {
        EXPECT_EQ(out[2 * op], apply(op, a, known, known)) << a << operators[op] << known;
        EXPECT_EQ(out[2 * op + 1], apply(op, known, a, a)) << known << operators[op] << a;
      }
    }
  }
}

template <typename From, typename To, typename Run> static void checkConversion(Run run) {
  for (From value : edges<From>()) {
    To out{};
    run(&out, sizeof(out), value);
    To expected = converted<To>(value);
    if (expected != expected)
      EXPECT_NE(out, out) << Spelling<From>::value << " to " << Spelling<To>::value;
    else
      EXPECT_EQ(std::memcmp(&out, &expected, sizeof(To)), 0)
          << Spelling<From>::value << " " << +value << " to " << Spelling<To>::value << ": "
          << +out;
  }
}

TEST_F(Arithmetic, EveryConversion) {
  using All = Types<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t,
                    float, double>;
  forEach(All(), [&](auto from) {
    forEach(All(), [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      auto module = compile(std::string("kernel k(out: ") + Spelling<To>::value +
                            "*, a: " + Spelling<From>::value + ") { out[0] = (" +
                            Spelling<To>::value + ")a; }");
      ASSERT_TRUE(module);
      Interpreter machine(*module);
      checkConversion<From, To>([&](void *out, size_t bytes, From value) {
        run(machine, out, bytes, {argument(value)});
      });
    });
  });
}

TEST_F(Arithmetic, FloatOperators) {
  forEach(Floats(), [&](auto type) {
    using T = decltype(type);
    std::string name = Spelling<T>::value;
    auto module = compile(
        "kernel k(out: " + name + "*, a: " + name + ", b: " + name + ") {\n" +
        "out[0] = a + b; out[1] = a - b; out[2] = a * b; out[3] = a / b; out[4] = -a;\n" +
        "out[5] = (" + name + ")(a < b); out[6] = (" + name + ")(a <= b); out[7] = (" + name +
        ")(a > b); out[8] = (" + name + ")(a >= b); out[9] = (" + name + ")(a == b); out[10] = (" +
        name + ")(a != b); out[11] = (" + name + ")!a;\n" + "out[12] = a * b + a;\n" +
        (sizeof(T) == 4 ? "out[13] = fmaf(a, b, a); out[14] = sqrtf(a); out[15] = fabsf(a);"
                        : "out[13] = fma(a, b, a); out[14] = sqrt(a); out[15] = fabs(a);") +
        "\n}");
    ASSERT_TRUE(module);
    Interpreter machine(*module);
    for (T a : edges<T>())
      for (T b : edges<T>()) {
        T out[16];
        run(machine, out, sizeof(out), {argument(a), argument(b)});
        T product = a * b;
        T expected[16] = {
            a + b,        a - b,       product,   a / b,     -a,    T(a < b),    T(a <= b),
            T(a > b),     T(a >= b),   T(a == b), T(a != b), T(!a), product + a, std::fma(a, b, a),
            std::sqrt(a), std::fabs(a)};
        for (unsigned i = 0; i < 16; ++i) {
          if (expected[i] != expected[i])
            EXPECT_NE(out[i], out[i]) << name << " #" << i << " of " << a << ", " << b;
          else
            EXPECT_EQ(std::memcmp(&out[i], &expected[i], sizeof(T)), 0)
                << name << " #" << i << " of " << a << ", " << b << ": " << out[i] << " for "
                << expected[i];
        }
      }
  });
}

TEST_F(Arithmetic, HalfIsStorage) {
  auto module = compile(
      "kernel k(out: float16*, bits: uint16, x: float32) {\n"
      "var h: float16 = x; out[0] = h; out[1] = h + h; out[2] = out[0] * 0.5;\n"
      "var back: uint16 = f2h(h2f(bits)); out[3] = h2f(back); out[4] = (float16)(int32)x;\n"
      "out[5] = (float16)(bits == f2h(h2f(bits))); out[6] = (float16)(h2f(h) == h2f(f2h(x))); }");
  ASSERT_TRUE(module);
  Interpreter machine(*module);
  uint16_t out[7];
  // 0x3555 is 0.333251953125, the half nearest to a third; twice that rounds to itself, doubled.
  run(machine, out, sizeof(out), {argument<uint16_t>(0x3555), argument<float>(1.0f / 3)});
  const uint16_t expected[] = {0x3555, 0x3955, 0x3155, 0x3555, 0x0000, 0x3C00, 0x3C00};
  for (unsigned i = 0; i < 7; ++i)
    EXPECT_EQ(out[i], expected[i]) << i;
  // 65520 is half way to what would be 65536: it rounds to infinity. 2049 lies between two halves.
  run(machine, out, sizeof(out), {argument<uint16_t>(0x0001), argument<float>(65520.0f)});
  EXPECT_EQ(out[0], 0x7C00);
  EXPECT_EQ(out[3], 0x0001);
  run(machine, out, sizeof(out), {argument<uint16_t>(0x8000), argument<float>(2049.0f)});
  EXPECT_EQ(out[0], 0x6800);
  EXPECT_EQ(out[3], 0x8000);
}

TEST_F(Arithmetic, LiteralsAreRoundedOnce) {
  // Half way between two floats in decimal, and a hair above: going through a double loses the
  // hair.
  auto module = compile(
      "kernel k(out: float32*) { out[0] = 1.00000005960464477539062500000000001; "
      "out[1] = 1.000000059604644775390625; out[2] = 16777217; out[3] = -0.1; out[4] = 1e40; "
      "out[5] = 1e-46; out[6] = (float32)0.1 + 0.2; out[7] = -0.0; }");
  ASSERT_TRUE(module);
  Interpreter machine(*module);
  float out[8];
  run(machine, out, sizeof(out), {});
  EXPECT_EQ(out[0], std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(out[1], 1.0f);
  EXPECT_EQ(out[2], 16777216.0f);
  EXPECT_EQ(out[3], -0.1f);
  EXPECT_EQ(out[4], std::numeric_limits<float>::infinity());
  EXPECT_EQ(out[5], 0.0f);
  EXPECT_EQ(out[6], 0.1f + 0.2f);
  EXPECT_TRUE(std::signbit(out[7]));
}
