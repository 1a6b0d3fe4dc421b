/** Kinds that a model named, merged by rule and by the model. */
import { describe, expect, it } from "vitest";
import {
  kindsToMerge,
  type MergedKind,
  proposalOf,
  readMerged,
} from "../../../source/engine/workbench/scanning/merged-kinds.ts";
import { readKindsCell } from "../../../source/engine/session/codes/kinds-cell.ts";

const kind = (name: string, meaning = "") => ({ name, meaning });
const lines = (text: string) => text.trimEnd().split("\n");

describe("kinds with nearly identical names", () => {
  it("are one kind if they differ only in case, spaces or a plural, and count once per trajectory", () => {
    const proposed = [
      [kind("Lucky guess"), kind("lucky-guesses", "By luck.")],
      [kind("LUCKY  GUESSES", "Later.")],
      [kind("Miss"), kind("No look")],
      [kind("no_look")],
      [kind("boxes"), kind("box"), kind("dishes"), kind("dish"), kind("class"), kind("classes"), kind("wishs")],
    ];
    expect(lines(proposalOf(proposed))).toEqual([
      "Lucky guess: By luck. (proposed for 2)",
      "No look: (proposed for 2)",
      "Miss: (proposed for 1)",
      "boxes: (proposed for 1)",
      "dishes: (proposed for 1)",
      "class: (proposed for 1)",
      "wishs: (proposed for 1)",
    ]);
  });

  it("are at most 20 in a proposal and 60 in a request to merge them, with the most frequent first", () => {
    const many = Array.from({ length: 70 }, (_, index) => kind(`kind ${index}`));
    const proposed = [many, many.slice(69)];
    expect(lines(proposalOf(proposed))).toHaveLength(20);
    expect(lines(proposalOf(proposed))[0]).toBe("kind 69: (proposed for 2)");
    expect(lines(kindsToMerge(proposed)!)).toHaveLength(60);
  });

  it("are not given to the model if there are fewer than two", () => {
    expect(kindsToMerge([])).toBeUndefined();
    expect(kindsToMerge([[kind("a")], [kind("A")]])).toBeUndefined();
    expect(kindsToMerge([[kind("a"), kind("b")]])).toBe("a: (proposed for 1)\nb: (proposed for 1)\n");
  });
});

describe("kinds merged by a model", () => {
  const proposed = [[kind("guess", "By luck."), kind("look")], [kind("luck")], [kind("loop", "Again.")]];
  const merged = (...kinds: readonly MergedKind[]) => lines(proposalOf(proposed, kinds));

  it("count each trajectory of the merged kinds once, and list the merged kinds", () => {
    expect(merged({ name: "chance", meaning: "", of: ["guess", "look", "luck"] })).toEqual([
      "chance: By luck. (proposed for 2; merged: guess, look, luck)",
      "loop: Again. (proposed for 1)",
    ]);
  });

  it("can have the name of a merged kind, or of a remaining kind, which is then merged too", () => {
    expect(merged({ name: "Guesses", meaning: "Better.", of: ["guess", "luck"] })[0]).toBe(
      "Guesses: Better. (proposed for 2; merged: luck)",
    );
    expect(merged({ name: "Loops", meaning: "", of: ["guess", "luck"] })).toEqual([
      "Loops: By luck. (proposed for 3; merged: guess, luck)",
      "look: (proposed for 1)",
    ]);
  });

  it("are omitted if they contain only unknown or already merged kinds", () => {
    const lucky = { name: "lucky", meaning: "", of: ["luck", "guess"] };
    expect(merged(lucky, { name: "again", meaning: "", of: ["guess"] }, { name: "x", meaning: "", of: ["y"] })).toEqual(
      merged(lucky),
    );
  });

  it("make a kinds cell without problems, whatever their names", () => {
    const text = proposalOf(proposed, [
      { name: "look", meaning: "a: b | c", of: ["guess", "luck"] },
      { name: "Look", meaning: "", of: ["look", "loop"] },
    ]);
    expect(readKindsCell(text).problems).toEqual([]);
    expect(lines(text)).toEqual(["look: a: b | c (proposed for 3; merged: guess, luck, loop)"]);
  });
});

describe("a model's reply that merges kinds", () => {
  const names = ["a", "b", "c", "d"];
  const read = (kinds: unknown) => readMerged(`Here:\n${JSON.stringify({ kinds })}`, names);

  it("contains groups of two or more kinds by number, and each kind counts in its first group", () => {
    expect(
      read([
        { name: " new  name ", meaning: "One\nline.", of: [1, "4"] },
        { name: "second", of: [4, 2, 3, 3] },
        { name: "alone", meaning: "Of one.", of: [2] },
        { name: "none", of: [] },
        { name: "without" },
      ]),
    ).toEqual([
      { name: "new name", meaning: "One line.", of: ["a", "d"] },
      { name: "second", meaning: "", of: ["b", "c"] },
    ]);
  });

  it("contains numbers from 1 to the number of kinds, and other numbers are ignored", () => {
    expect(read([{ name: "x", of: [0, 1, 4, 5, 1.5, -1, null, "a", {}] }])).toEqual([
      { name: "x", meaning: "", of: ["a", "d"] },
    ]);
  });

  it("keeps the first kind's name if the new name is invalid or a placeholder, and ignores a placeholder meaning", () => {
    const of = [2, 3];
    expect(
      [
        { name: "a: b", meaning: "So.", of },
        { name: "One to four words", of },
        { name: "y", meaning: "One sentence", of },
      ].map((each) => read([each])),
    ).toEqual([
      [{ name: "b", meaning: "", of: ["b", "c"] }],
      [{ name: "b", meaning: "", of: ["b", "c"] }],
      [{ name: "y", meaning: "", of: ["b", "c"] }],
    ]);
  });

  it("is unreadable if it is not an object with a list", () => {
    expect([readMerged("no", names), readMerged("[]", names), read("all"), readMerged("{", names)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(read([])).toEqual([]);
    expect(read([7, null, "x"])).toEqual([]);
  });
});
