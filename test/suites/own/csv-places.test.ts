import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { CsvPlaces, csvValues } from "../../../suites/own/data/csv-places.ts";

/** The records; undefined if any of them is malformed. */
function recordsOf(text: string): readonly (readonly string[])[] | undefined {
  const bytes = Buffer.from(text);
  const places = new CsvPlaces(bytes, 0);
  const found: (readonly string[])[] = [];
  while (places.next()) {
    found.push(places.texts());
    expect(csvValues(bytes.toString("utf8", places.from, places.to))).toEqual(found.at(-1));
    expect(found.at(-1)!.map((value) => value === "")).toEqual(found.at(-1)!.map((_, at) => places.isEmpty(at)));
  }
  return places.isOdd ? undefined : found;
}

/** The same records by the package, or undefined if it fails. */
function byPackage(text: string): readonly (readonly string[])[] | undefined {
  try {
    return parse(text, { trim: true, skip_empty_lines: true, relax_column_count: true }) as readonly string[][];
  } catch {
    return undefined;
  }
}

describe("positions of CSV values", () => {
  it.each([
    [
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      ',b,\n\n"",""\n',
      [
        ["", "b", ""],
        ["", ""],
      ],
    ],
    ['"a ""b"",\nc",2\n', [['a "b",\nc', "2"]]],
    ['" a "', [[" a "]]],
    [
      'a , b\t,"c" \n \f"d", "e f" ,',
      [
        ["a", "b", "c"],
        ["d", "e f", ""],
      ],
    ],
    [
      "a,b\r\n\r\n1, 2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
  ])("are found in %j", (text, expected) => {
    expect(recordsOf(text)).toEqual(expected);
    expect(byPackage(text)).toEqual(expected);
  });

  it.each(['a "b",c', "a\rb", "a\nb\r\n", "a\r\nb\n", "a\n\r\nb", '"a', '"a"b,c', '"a" b,c', 'a,"'])(
    "are undefined in %j",
    (text) => {
      expect(recordsOf(text)).toBeUndefined();
    },
  );

  it("give the same values as the package in 20,000 random texts, except for malformed texts", () => {
    const random = randomFrom("csv");
    const letters = ["a", "é", ",", ",", "\n", '"', '"', '""', '"b"', " ", "\t", "\r\n", "\r"];
    let compared = 0;
    for (let round = 0; round < 20_000; round++) {
      const length = Math.floor(random() * 12);
      const text = Array.from({ length }, () => letters[Math.floor(random() * letters.length)]!).join("");
      const own = recordsOf(text);
      if (own === undefined) continue;
      expect([text, byPackage(text)]).toEqual([text, own]);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(4_000);
  });
});
