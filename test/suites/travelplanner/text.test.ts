import { strip } from "../../../source/engine/python/text.ts";
import { expect, test } from "vitest";
import { pick, randomFrom } from "../../../source/engine/statistics/random.ts";
import { attractionsOf, cut, fromTo, modeOf, nameCity } from "../../../suites/travelplanner/score/text.ts";

test("a suffix in brackets is removed if the brackets close on the first line, and spaces stay", () => {
  expect(["B (Texas)", "B (Texas", "a) (b", "(x) y", "a\n(b)", ""].map(cut)).toEqual([
    "B ",
    "B (Texas",
    "a) (b",
    "",
    "a\n(b)",
    "",
  ]);
});

test("name and city are split at the last comma", () => {
  expect(nameCity("Cafe, The, Boise(Idaho)")).toEqual({ name: "Cafe, The", city: "Boise" });
  expect(nameCity("A, City, Cost: 20")).toEqual({ name: "A, City", city: "Cost: 20" });
  expect(nameCity("A, ")).toEqual({ name: "A", city: "" });
  for (const unreadable of ["Boise", "A,", "", "-"]) expect(nameCity(unreadable)).toEqual({ name: "-", city: "-" });
  expect(nameCity("Breakfast:\nCafe , Boise\n")).toEqual({ name: "Cafe", city: "Boise" });
  expect(nameCity(",Boise")).toEqual({ name: "", city: "Boise" });
});

test("a route has the shortest possible origin, and a destination that ends at the comma", () => {
  expect(fromTo("from A to B to C, z")).toEqual({ from: "A", to: "B to C" });
  expect(fromTo("F1, from St. Louis to New York, 10:00")).toEqual({ from: "St. Louis", to: "New York" });
  expect(fromTo("from A\nfrom B to C")).toEqual({ from: "B", to: "C" });
  expect(fromTo("from   A   to   B")).toEqual({ from: "A", to: "B" });
  expect(fromTo("from A\n to B")).toEqual({ from: "A", to: "B" });
  expect(fromTo("from A to  ,")).toEqual({ from: "A", to: " " });
  expect(fromTo("from   to B")).toEqual({ from: " ", to: "B" });
  for (const none of ["", "from", "from A", "from A to", "from A to ", "fromA to B", "A to B", "from A to,B"])
    expect(fromTo(none), none).toBeUndefined();
});

test("a route is found in linear time in any text", () => {
  for (const unit of ["from ", "from \n", "from a to,", " ", "to "])
    expect(() => fromTo(`from${unit.repeat(100_000)}`), unit).not.toThrow();
});

test("the means of transport is the first of three names that the text contains", () => {
  expect(["TAXI with flight", "Self-Driving, from", "flight", "Bus"].map(modeOf)).toEqual([
    "Taxi",
    "Self-driving",
    "Flight",
    undefined,
  ]);
});

test("an attraction without a semicolon is not checked, unless it is the only attraction of the day", () => {
  expect(attractionsOf("A, X;B, X;")).toEqual(["A, X", "B, X"]);
  expect(attractionsOf("A, X;B, X")).toEqual(["A, X"]);
  expect(attractionsOf("A, X")).toEqual([]);
});

test("TravelPlanner treats the same characters as white space as Python", () => {
  expect(strip("\u001c\u0085 x \u3000")).toBe("x");
  expect(strip("\uFEFFx")).toBe("\uFEFFx");
});

/** Short random texts of these pieces, the same in every run. */
function* texts(pieces: readonly string[]): Iterable<string> {
  const random = randomFrom(pieces.join(""));
  for (let made = 0; made < 8000; made++)
    yield Array.from({ length: Math.floor(random() * 14) }, () => pick(pieces, random)).join("");
}

test("a route is what the official program's regular expression finds", () => {
  for (const text of texts(["from ", "from", " to ", "to", " ", "\n", ",", "A", "B "])) {
    const [, from, to] = /from\s+(.+?)\s+to\s+([^,]+)/.exec(text) ?? [];
    expect(fromTo(text), JSON.stringify(text)).toEqual(from === undefined ? undefined : { from, to });
  }
});

test("brackets, names and cities are what the official program's regular expressions find", () => {
  const before = (text: string) => /^(.*?)\([^)]*\)/.exec(text)?.[1] ?? text;
  for (const text of texts(["(", ")", "a", " ", "\n", ","])) {
    expect(cut(text), JSON.stringify(text)).toBe(before(text));
    const [, name, city] = /(.*?),\s*([^,]+)(\(\w[\w\s]*\))?$/.exec(text) ?? [];
    const expected =
      name === undefined ? { name: "-", city: "-" } : { name: name.trim(), city: before(city!.trim()).trim() };
    expect(nameCity(text), JSON.stringify(text)).toEqual(expected);
  }
});
