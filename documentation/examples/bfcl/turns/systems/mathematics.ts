/** MathAPI: sums, roots and conversions. It has no state. */
import { power } from "../python/power.ts";
import { logarithmTo, rootTo } from "../python/precise.ts";
import { roundFloat, roundWhole, wholePart } from "../python/number.ts";
import { add, compare, divide, iterate, length, multiply, subtract, sum } from "../python/operations.ts";
import { equal, fail, numeric, type Py, PyError, type PyErrorKind, text, truth, typeName } from "../python/value.ts";
import { error, type Method, record, System } from "./system.ts";

/** Returns a result, or the error that these of Python's become. */
function guarded(message: string, kinds: readonly PyErrorKind[], run: () => Py): Py {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof PyError && kinds.includes(thrown.kind)) return error(message);
    throw thrown;
  }
}

const result = (value: Py) => record({ result: value });
const bothNumbers = "Both inputs must be numbers";
const allNumbers = "All elements in the list must be numbers";
const isNumber = (value: Py) => numeric(value) !== undefined;

const metres: Readonly<Record<string, Py>> = { km: 1000n, m: 1n, cm: 0.01, mm: 0.001, um: 1e-6, nm: 1e-9 };
const factors: Readonly<Record<string, number>> = {
  cm_to_in: 0.393701,
  in_to_cm: 2.54,
  m_to_ft: 3.28084,
  ft_to_m: 0.3048,
  m_to_yd: 1.09361,
  yd_to_m: 0.9144,
  km_to_miles: 0.621371,
  miles_to_km: 1.60934,
  kg_to_lb: 2.20462,
  lb_to_kg: 0.453592,
  celsius_to_fahrenheit: 1.8,
  fahrenheit_to_celsius: 5 / 9,
};
const tooLarge = "Conversion resulted in a value too large to represent";

/** Returns the entry of a table; undefined if it has none. Fails for what cannot be a key. */
function entry<Value>(table: Readonly<Record<string, Value>>, key: Py): Value | undefined {
  if (Array.isArray(key) || (typeof key === "object" && key !== null))
    fail("TypeError", `unhashable type: '${typeName(key)}'`);
  return typeof key === "string" && Object.hasOwn(table, key) ? table[key] : undefined;
}

function convertSi(value: Py, from: Py, to: Py): Py {
  if (!isNumber(value)) return error("Value must be a number");
  const [into, out] = [entry(metres, from), entry(metres, from) === undefined ? undefined : entry(metres, to)];
  if (into === undefined || out === undefined)
    return error(`Conversion from '${text(from)}' to '${text(to)}' is not supported`);
  return guarded(tooLarge, ["OverflowError"], () => result(multiply(multiply(value, into), divide(1n, out))));
}

function convertImperial(value: Py, from: Py, to: Py): Py {
  if (!isNumber(value)) return error("Value must be a number");
  if (equal(from, to)) return result(value);
  const key = `${text(from)}_to_${text(to)}`;
  const factor = entry(factors, key);
  if (factor === undefined) return error(`Conversion from '${text(from)}' to '${text(to)}' is not supported`);
  return guarded(tooLarge, ["OverflowError"], () => {
    if (key === "celsius_to_fahrenheit") return result(add(multiply(value, factor), 32n));
    return result(multiply(key === "fahrenheit_to_celsius" ? subtract(value, 32n) : value, factor));
  });
}

function mean(numbers: Py): Py {
  return divide(sum(numbers), BigInt(length(numbers)));
}

function deviation(numbers: Py): Py {
  const middle = mean(numbers);
  const squares = iterate(numbers).map((each) => power(subtract(each, middle), 2n));
  const variance = divide(sum(squares), BigInt(length(numbers)));
  return Math.sqrt(variance);
}

/** Returns the first item that no other is beyond. */
function extreme(numbers: Py, sign: "<" | ">"): Py {
  const items = iterate(numbers);
  return items.reduce((best, each) => (compare(each, sign, best) ? each : best));
}

function rounded(number: Py, places: Py): Py {
  const value = numeric(number);
  if (value === undefined) return fail("TypeError", "");
  if (places === null) return typeof value === "bigint" ? value : roundedWhole(value);
  const digits = numeric(places);
  if (typeof digits !== "bigint") return fail("TypeError", "");
  return typeof value === "bigint" ? roundWhole(value, digits) : roundFloat(value, Number(digits));
}

function roundedWhole(value: number): bigint {
  return wholePart(Number.isFinite(value) ? roundFloat(value, 0) : value);
}

function root(number: Py, precision: Py): Py {
  const message = "Input must be a number or computation resulted in an invalid operation";
  return guarded(message, ["TypeError", "InvalidOperation"], () =>
    compare(number, "<", 0n)
      ? error("Cannot calculate square root of a negative number")
      : result(rootTo(number, precision)),
  );
}

function logarithm(value: Py, base: Py, precision: Py): Py {
  try {
    return result(logarithmTo(value, base, precision));
  } catch (thrown) {
    if (thrown instanceof PyError) return error(thrown.message);
    throw thrown;
  }
}

function magnitude(number: Py): Py {
  const value = numeric(number);
  if (value === undefined) return fail("TypeError", "");
  return typeof value === "bigint" ? (value < 0n ? -value : value) : Math.abs(value);
}

/** A method of a list of numbers that must not be empty. */
const ofList = (what: string, run: (numbers: Py) => Py): Method => ({
  takes: "numbers",
  run: (numbers = null) =>
    truth(numbers)
      ? guarded(allNumbers, ["TypeError"], () => result(run(numbers)))
      : error(`Cannot ${what} of an empty list`),
});

/** A method of two numbers. */
const ofTwo = (takes: string, run: (first: Py, second: Py) => Py): Method => ({
  takes,
  run: (first = null, second = null) => guarded(bothNumbers, ["TypeError"], () => run(first, second)),
});

export class Mathematics extends System {
  readonly typeName = "MathAPI";

  protected readonly methods: Readonly<Record<string, Method>> = {
    logarithm: {
      takes: "value base precision",
      run: (value = null, base = null, precision = null) => logarithm(value, base, precision),
    },
    mean: ofList("calculate mean", mean),
    standard_deviation: ofList("calculate standard deviation", deviation),
    si_unit_conversion: {
      takes: "value unit_in unit_out",
      run: (value = null, from = null, to = null) => convertSi(value, from, to),
    },
    imperial_si_conversion: {
      takes: "value unit_in unit_out",
      run: (value = null, from = null, to = null) => convertImperial(value, from, to),
    },
    add: ofTwo("a b", (first, second) => result(add(first, second))),
    subtract: ofTwo("a b", (first, second) => result(subtract(first, second))),
    multiply: ofTwo("a b", (first, second) =>
      isNumber(first) && isNumber(second) ? result(multiply(first, second)) : error(bothNumbers),
    ),
    divide: ofTwo("a b", (first, second) =>
      equal(second, 0n) ? error("Cannot divide by zero") : result(divide(first, second)),
    ),
    power: ofTwo("base exponent", (base, exponent) => result(power(base, exponent))),
    square_root: { takes: "number precision", run: (number = null, precision = null) => root(number, precision) },
    absolute_value: {
      takes: "number",
      run: (number = null) => guarded("Input must be a number", ["TypeError"], () => result(magnitude(number))),
    },
    round_number: {
      takes: "number decimal_places",
      defaults: [0n],
      run: (number = null, places = null) =>
        guarded("First input must be a number, second input must be an integer", ["TypeError"], () =>
          result(rounded(number, places)),
        ),
    },
    percentage: ofTwo("part whole", (part, whole) =>
      equal(whole, 0n) ? error("Whole value cannot be zero") : result(multiply(divide(part, whole), 100n)),
    ),
    min_value: ofList("find minimum", (numbers) => extreme(numbers, "<")),
    max_value: ofList("find maximum", (numbers) => extreme(numbers, ">")),
    sum_values: ofList("calculate sum", sum),
  };
}
