/** Python's values and arithmetic in documentation/examples/bfcl, compared with the output of Python 3.11. */
import { describe, expect, it } from "vitest";
import { evaluate } from "../../../documentation/examples/bfcl/turns/python/evaluate.ts";
import { readAssignments, readExpression } from "../../../documentation/examples/bfcl/turns/python/expression.ts";
import {
  ratioToFloat,
  roundFloat,
  roundWhole,
  twoDecimals,
} from "../../../documentation/examples/bfcl/turns/python/number.ts";
import {
  add,
  among,
  compare,
  divide,
  float,
  int,
  length,
  multiply,
  splitLines,
  splitWords,
  subtract,
  sum,
} from "../../../documentation/examples/bfcl/turns/python/operations.ts";
import { power } from "../../../documentation/examples/bfcl/turns/python/power.ts";
import { logarithmTo, rootTo } from "../../../documentation/examples/bfcl/turns/python/precise.ts";
import { Random } from "../../../documentation/examples/bfcl/turns/python/random.ts";
import {
  Dict,
  equal,
  fromJson,
  jsonText,
  type Py,
  PyError,
  PySet,
  repr,
  truth,
  Tuple,
} from "../../../documentation/examples/bfcl/turns/python/value.ts";

const evaluated = (source: string) => evaluate(readExpression(source), new Map());
const shown = (run: () => Py) => {
  try {
    return repr(run());
  } catch (thrown) {
    if (thrown instanceof PyError) return `${thrown.kind}: ${thrown.message}`;
    throw thrown;
  }
};

describe("Python's values", () => {
  it.each([
    [1e16, "1e+16"],
    [9999999999999998, "9999999999999998.0"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [1.5e300, "1.5e+300"],
    [123456789.125, "123456789.125"],
    [-0, "-0.0"],
    [Number.NaN, "nan"],
    [-Infinity, "-inf"],
    [12345678901234567890n, "12345678901234567890"],
    ["it's", `"it's"`],
    [`it's "so"\n\u0007\u200b`, `'it\\'s "so"\\n\\x07\\u200b'`],
    [[true, null, new Tuple([1n])], "[True, None, (1,)]"],
    [new Tuple([]), "()"],
    [new PySet(), "set()"],
    [new PySet([1n, 1, true]), "{1}"],
    [
      new Dict([
        [1n, "a"],
        [true, "b"],
        ["1", 2.5],
      ]),
      "{1: 'b', '1': 2.5}",
    ],
  ] as readonly (readonly [Py, string])[])("are written as Python's repr writes them: %s", (value, written) => {
    expect(repr(value)).toBe(written);
  });

  it("are written as `json.dumps` writes them, which fails for values without a JSON form", () => {
    const value = new Dict([
      ["é\u007f😀", [1, 2n, new Tuple(["a"])]],
      [1n, Infinity],
      [null, true],
      [1.5, Number.NaN],
      [false, null],
    ] as [Py, Py][]);
    expect(jsonText(value)).toBe(
      '{"\\u00e9\u007f\\ud83d\\ude00": [1.0, 2, ["a"]], "1": Infinity, "null": true, "1.5": NaN, "false": null}',
    );
    expect(shown(() => jsonText(new PySet()))).toBe("TypeError: Object of type set is not JSON serializable");
    expect(shown(() => jsonText(new Dict([[new Tuple([]), 1n]])))).toBe(
      "TypeError: keys must be str, int, float, bool or None",
    );
  });

  it("are compared across number types, but a number never equals another type; truth follows Python", () => {
    expect([
      equal(1n, true),
      equal(1n, 1),
      equal(0, "0"),
      equal([1n], new Tuple([1n])),
      equal(new Dict([["a", 1n]]), new Dict([["a", 1]])),
    ]).toEqual([true, true, false, false, true]);
    expect([
      truth(""),
      truth(0n),
      truth(0),
      truth([]),
      truth(new Dict()),
      truth(null),
      truth("0"),
      truth(new Tuple([0n])),
    ]).toEqual([false, false, false, false, false, false, true, true]);
  });

  it("are read from JSON with keys in order", () => {
    expect(repr(fromJson('{"10": 5.0, "9": 5, "a": [-0.0, 1e3, "\\u00e9\\/"], "b": {}, "c": null}'))).toBe(
      "{'10': 5.0, '9': 5, 'a': [-0.0, 1000.0, 'é/'], 'b': {}, 'c': None}",
    );
    for (const wrong of ["{1: 2}", "[1 2]", "[1,", '{"a" 1}', "01", "[1] 2"])
      expect(() => fromJson(wrong)).toThrow(SyntaxError);
  });
});

describe("Python's expressions", () => {
  it.each([
    ["-2 ** 2 + 3 * (4 - 1) / 2", "0.5"],
    ["2 ** -1", "0.5"],
    ["[1, 2.0, 'a' \"b\", (1,), (2), {}, {'k': [None]}, {1}]", "[1, 2.0, 'ab', (1,), 2, {}, {'k': [None]}, {1}]"],
    [String.raw`'\x41\u00e9\n\q\101' + r'\n'`, String.raw`'Aé\n\\qA\\n'`],
    ["'''a\n'b'''", String.raw`"a\n'b"`],
    ["[0x1f, 1_000, .5, 5., 1e3][-1]", "1000.0"],
    ["{'a': 1}['b']", "KeyError: 'b'"],
    ["[1][1]", "IndexError: list index out of range"],
    ["'ab'[True]", "'b'"],
    ["1()", "TypeError: 'int' object is not callable"],
    ["x", "NameError: name 'x' is not defined"],
    ["'a'.b", "AttributeError: 'str' object has no attribute 'b'"],
    ["-'a'", "TypeError: bad operand type for unary -: 'str'"],
    ["(1", "SyntaxError: '(' was never closed (<string>, line 1)"],
    ["1)", "SyntaxError: unmatched ')' (<string>, line 1)"],
    ["(1]", "SyntaxError: closing parenthesis ']' does not match opening parenthesis '(' (<string>, line 1)"],
    ["1 2", "SyntaxError: invalid syntax (<string>, line 1)"],
    [
      "007",
      "SyntaxError: leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers (<string>, line 1)",
    ],
    ["f(a=1, a=2)", "SyntaxError: keyword argument repeated: a (<string>, line 1)"],
    ["f(a=1, 2)", "SyntaxError: positional argument follows keyword argument (<string>, line 1)"],
  ])("are evaluated: %s", (source, result) => {
    expect(shown(() => evaluated(source))).toBe(result);
  });

  it("can be a module of assignments, and are rejected if they are nested too deeply", () => {
    const found = readAssignments("# first\nA = [1, ...]\nB: int = 'x'\\\n 'y'\n").map(([name, value]) => [
      name,
      repr(evaluate(value, new Map())),
    ]);
    expect(found).toEqual([
      ["A", "[1, Ellipsis]"],
      ["B", "'xy'"],
    ]);
    expect(shown(() => evaluated(`${"[".repeat(200)}${"]".repeat(200)}`))).toBe(
      "SyntaxError: too many nested parentheses (<string>, line 1)",
    );
  });
});

describe("Python's operators", () => {
  it.each([
    [() => add("a", 1n), `TypeError: can only concatenate str (not "int") to str`],
    [() => add([1n], [2n]), "[1, 2]"],
    [() => add([1n], "a"), `TypeError: can only concatenate list (not "str") to list`],
    [() => add(1n, "a", "+="), "TypeError: unsupported operand type(s) for +=: 'int' and 'str'"],
    [() => add(true, 1n), "2"],
    [() => subtract(1n, 0.5), "0.5"],
    [() => multiply("ab", 2n), "'abab'"],
    [() => multiply([1n], -1n), "[]"],
    [() => multiply("a", 1), "TypeError: can't multiply sequence by non-int of type 'float'"],
    [() => multiply(null, 1), "TypeError: unsupported operand type(s) for *: 'NoneType' and 'float'"],
    [() => divide(7n, 2n), "3.5"],
    [() => divide(1n, 0n), "ZeroDivisionError: division by zero"],
    [() => divide(1n, 0), "ZeroDivisionError: float division by zero"],
    [() => divide(10n ** 400n, 1n), "OverflowError: integer division result too large for a float"],
    [() => add(10n ** 400n, 1), "OverflowError: int too large to convert to float"],
    [() => power(2n, 100n), "1267650600228229401496703205376"],
    [() => power(1.05, 30n), "4.321942375150668"],
    [() => power(10n, -3n), "0.001"],
    [() => power(2, 0.5), "1.4142135623730951"],
    [() => power(-8n, 3), "-512.0"],
    [() => power(0n, -1n), "ZeroDivisionError: 0.0 cannot be raised to a negative power"],
    [() => power(10, 400n), "OverflowError: (34, 'Numerical result out of range')"],
    [
      () => power(9n, 9n ** 9n),
      "ValueError: Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit",
    ],
    [() => power("a", 2n), "TypeError: unsupported operand type(s) for ** or pow(): 'str' and 'int'"],
    [() => power(-4n, 0.5), "(1.2246467991473532e-16+2j)"],
    [() => compare("a", "<", "B"), "False"],
    [() => compare([1n, 2n], ">=", [1n]), "True"],
    [() => compare([1n], ">", [1n, 0n]), "False"],
    [() => compare(1n, "<=", 1), "True"],
    [() => compare(2n, ">", true), "True"],
    [() => compare(1n, "<", "a"), "TypeError: '<' not supported between instances of 'int' and 'str'"],
    [() => among(1n, "a"), "TypeError: 'in <string>' requires string as left operand, not int"],
    [() => among([], new Dict()), "TypeError: unhashable type: 'list'"],
    [() => among("a", 5n), "TypeError: argument of type 'int' is not iterable"],
    [() => among(1, [true]), "True"],
    [() => float(" 1_0.5e1 "), "105.0"],
    [() => float("1__0"), "ValueError: could not convert string to float: '1__0'"],
    [() => float([]), "TypeError: float() argument must be a string or a real number, not 'list'"],
    [() => int("-7"), "-7"],
    [() => int(-7.9), "-7"],
    [() => int("7.5"), "ValueError: invalid literal for int() with base 10: '7.5'"],
    [() => int(Number.NaN), "ValueError: cannot convert float NaN to integer"],
    [() => sum([1n, 2.5, true]), "4.5"],
    [() => sum(["a"]), "TypeError: unsupported operand type(s) for +: 'int' and 'str'"],
    [() => BigInt(length("é😀")), "2"],
    [() => BigInt(length(5n)), "TypeError: object of type 'int' has no len()"],
  ] as readonly (readonly [() => Py, string])[])("give results like Python: %s gives %s", (run, result) => {
    expect(shown(run)).toBe(result);
  });

  it("split lines and words as in Python", () => {
    expect(splitLines("a\r\nb\u2028\vc\n")).toEqual(["a", "b", "", "c"]);
    expect(splitLines("")).toEqual([]);
    expect(splitWords(" a\u00a0b\u001c c\n")).toEqual(["a", "b", "c"]);
  });
});

describe("Python's numbers", () => {
  it("are rounded half to even, based on the stored binary value", () => {
    expect([
      roundFloat(2.675, 2),
      roundFloat(0.125, 2),
      roundFloat(2.5, 0),
      roundFloat(1234.5, -2),
      roundFloat(1e300, 400),
    ]).toEqual([2.67, 0.12, 2, 1200, 1e300]);
    expect([roundWhole(1250n, -2n), roundWhole(1350n, -2n), roundWhole(5n, 2n), roundWhole(-25n, -1n)]).toEqual([
      1200n,
      1400n,
      5n,
      -20n,
    ]);
    expect([0.125, 2.675, -0.004, 1e21, 7].map(twoDecimals)).toEqual([
      "0.12",
      "2.67",
      "-0.00",
      "1000000000000000000000.00",
      "7.00",
    ]);
  });

  it("are the floats nearest to quotients, including the smallest float, and infinity above the largest", () => {
    expect([
      ratioToFloat(1n, 3n),
      ratioToFloat(-1n, 10n),
      ratioToFloat(1n, 2n ** 1074n),
      ratioToFloat(1n, 2n ** 1076n),
      ratioToFloat(2n ** 1024n, 1n),
      ratioToFloat(2n ** 53n + 1n, 1n),
      ratioToFloat(2n ** 53n + 3n, 1n),
    ]).toEqual([1 / 3, -0.1, 5e-324, 0, Infinity, 2 ** 53, 2 ** 53 + 4]);
  });

  it("have logarithms and roots of any precision", () => {
    expect(
      [
        [8n, 2n, 5n],
        [10n, 3, 15n],
        [100n, 10n, 30n],
        [0.5, 10n, 4n],
        [1e30, 1.0001, 6n],
        ["16", 2n, 3n],
      ].map(([value, base, digits]) => repr(logarithmTo(value!, base!, digits!))),
    ).toEqual([
      "mpf('3.0')",
      "mpf('2.0959032742893848')",
      "mpf('2.0')",
      "mpf('-0.3010292')",
      "mpf('690810.0')",
      "mpf('4.0')",
    ]);
    expect(repr(logarithmTo(-5n, 2n, 5n))).toBe("mpc(real='2.3219299', imag='4.5323639')");
    expect(repr(logarithmTo(8n, -2n, 5n))).toBe("mpc(real='0.13926077', imag='-0.63118076')");
    expect(
      [
        [2n, 10n],
        [16n, 3n],
        [0.25, 5n],
        [1e6, 2n],
        [0n, 4n],
        [152.2756, 6n],
      ].map(([value, digits]) => repr(rootTo(value!, digits!))),
    ).toEqual([
      "Decimal('1.414213562')",
      "Decimal('4')",
      "Decimal('0.5')",
      "Decimal('1.0E+3')",
      "Decimal('0')",
      "Decimal('12.3400')",
    ]);
  });
});

it("Python's random numbers are reproduced from a seed", () => {
  const random = new Random(200_191n);
  expect([
    random.whole(10_000, 99_999),
    random.whole(10_000, 99_999),
    random.whole(100_000_000_000, 999_999_999_999),
    random.uniform(-10, 40),
  ]).toEqual([67410n, 41772n, 521379371380n, 39.39396786704845]);
  expect(new Random(2n ** 40n + 7n).uniform(0, 1)).toBe(0.6137037779936511);
  expect(new Random(0n).whole(1, 6)).toBe(4n);
});
