import { describe, expect, it } from "vitest";
import { type Fold, foldOver, GrowingList, keyByName } from "../../../source/engine/work/growing-list.ts";

/** Collects items with their indexes, and records every item that it reads. */
function openFold() {
  const read: string[] = [];
  const fold: Fold<string, string[]> = {
    start: () => [],
    take: (state, item, at) => {
      read.push(item);
      state.push(`${at} ${item}`);
      return state;
    },
    copy: (state) => [...state],
  };
  return { fold, read: () => read.splice(0) };
}

function listOf(...items: readonly string[]): GrowingList<string> {
  const list = new GrowingList<string>();
  for (const item of items) list.add(item);
  return list;
}

describe("a fact about a list that grows", () => {
  it("reads each item once, however often the fact is asked for", () => {
    const { fold, read } = openFold();
    const list = listOf("a", "b");
    expect(list.length).toBe(2);
    expect(list.fold(fold)).toEqual(["0 a", "1 b"]);
    expect(read()).toEqual(["a", "b"]);
    list.add("c");
    expect(list.fold(fold)).toEqual(["0 a", "1 b", "2 c"]);
    expect(list.fold(fold)).toEqual(["0 a", "1 b", "2 c"]);
    expect(read()).toEqual(["c"]);
  });

  it("is continued with the further items of an array, which do not become items of the list", () => {
    const { fold, read } = openFold();
    const list = listOf("a");
    const first = list.with(["x", "y"]);
    expect(first).toEqual(["a", "x", "y"]);
    expect(foldOver(fold, first)).toEqual(["0 a", "1 x", "2 y"]);
    expect(read()).toEqual(["a", "x", "y"]);
    list.add("b");
    expect(foldOver(fold, list.with(["y"]))).toEqual(["0 a", "1 b", "2 y"]);
    expect(read()).toEqual(["b", "y"]);
    expect(list.fold(fold)).toEqual(["0 a", "1 b"]);
    expect(read()).toEqual([]);
  });

  it("keeps its earlier result unchanged when the list grows", () => {
    const { fold } = openFold();
    const list = listOf("a");
    const before = foldOver(fold, list.with([]));
    list.add("b");
    expect(foldOver(fold, list.with([]))).toEqual(["0 a", "1 b"]);
    expect(before).toEqual(["0 a"]);
  });

  it("is worked out from all items of an array that is older than the list, or that begins with no list", () => {
    const { fold, read } = openFold();
    const list = listOf("a");
    const older = list.with(["x"]);
    list.add("b");
    expect(list.fold(fold)).toHaveLength(2);
    read();
    expect(foldOver(fold, older)).toEqual(["0 a", "1 x"]);
    expect(foldOver(fold, ["p", "q"])).toEqual(["0 p", "1 q"]);
    expect(read()).toEqual(["a", "x", "p", "q"]);
  });

  it("needs no copy if its states do not change", () => {
    const list = listOf("a", "bb");
    const longest: Fold<string, number> = { start: () => 0, take: (most, { length }) => Math.max(most, length) };
    expect(foldOver(longest, list.with(["ccc"]))).toBe(3);
    expect(foldOver(longest, list.with([]))).toBe(2);
    expect(foldOver(longest, [])).toBe(0);
  });
});

describe("keys by their names", () => {
  it("are the same function for equal names, so that the facts of their groups are continued", () => {
    const made: string[] = [];
    const keyOf = keyByName((names: readonly string[]) => {
      made.push(names.join());
      return (item: string) => names.indexOf(item);
    });
    expect(keyOf(["a", "b"])).toBe(keyOf(["a", "b"]));
    expect(keyOf(["a,b"])).not.toBe(keyOf(["a", "b"]));
    expect(made).toEqual(["a,b", "a,b"]);
    expect(keyOf(["a", "b"])("b")).toBe(1);
  });
});
