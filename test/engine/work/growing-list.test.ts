import { describe, expect, it } from "vitest";
import {
  addedCounts,
  filtered,
  type Fold,
  foldOver,
  grouped,
  GrowingList,
  joinedParts,
  keyByName,
  flatMapped,
  itemFields,
  listParts,
} from "../../../source/engine/work/growing-list.ts";

function listOf(...items: readonly string[]): GrowingList<string> {
  const list = new GrowingList<string>();
  for (const item of items) list.push(item);
  return list;
}

/** Records every item that is read. */
function openReading() {
  const read: string[] = [];
  const each = <Found>(found: (item: string) => Found) => {
    return (item: string) => {
      read.push(item);
      return found(item);
    };
  };
  return { each, read: () => read.splice(0).join("") };
}

describe("an array made of lists that grow", () => {
  it("has the items of all its parts, and no part but itself once a list has grown", () => {
    const [one, other] = [listOf("a"), listOf("b", "c")];
    const all = joinedParts<string>([one, ["x"], other]);
    expect(all).toEqual(["a", "x", "b", "c"]);
    expect(listParts(all)).toEqual([one, ["x"], other]);
    expect(listParts(joinedParts([all, listOf("d").with([])]))).toHaveLength(4);
    other.push("e");
    expect(listParts(all)).toEqual([all]);
    expect(all).toEqual(["a", "x", "b", "c"]);
  });

  it("is the array itself if it has no list", () => {
    const items = ["a"];
    expect(joinedParts([items])).toBe(items);
    expect(listParts(joinedParts([items, ["b"]]))).toEqual([["a", "b"]]);
    expect(joinedParts([])).toEqual([]);
  });
});

describe("what is found in the items of lists that grow", () => {
  it("reads each item of a list once, and the items of arrays each time", () => {
    const { each, read } = openReading();
    const twice = each((item) => (item === "-" ? [] : [item, item]));
    const [one, other] = [listOf("a", "-"), listOf("b")];
    expect(flatMapped(twice, joinedParts<string>([one, ["x"], other]))).toEqual(["a", "a", "x", "x", "b", "b"]);
    expect(read()).toBe("a-xb");
    one.push("c");
    const found = flatMapped(twice, joinedParts<string>([one, ["y"], other]));
    expect(found).toEqual(["a", "a", "c", "c", "y", "y", "b", "b"]);
    expect(read()).toBe("cy");
    expect(flatMapped(twice, ["p"])).toEqual(["p", "p"]);
  });

  it("is itself a list that grows, whose root is the list of the items", () => {
    const { each, read } = openReading();
    const list = listOf("a", "bb");
    const [isLong, sizeOf] = [({ length }: string) => length > 1, each(({ length }) => length)];
    expect(flatMapped(sizeOf, filtered(isLong, list.with(["ccc"])))).toEqual([2, 3]);
    list.push("dddd");
    const long = filtered(isLong, list.with([]));
    read();
    expect(flatMapped(sizeOf, long)).toEqual([2, 4]);
    expect(read()).toBe("dddd");
    expect(listParts(long).map((part) => part instanceof GrowingList && part.root === list)).toEqual([true]);
  });

  it("is grouped in order of first appearance, without items that have no key", () => {
    const { each, read } = openReading();
    const first = each((item) => (item === "-" ? undefined : item[0]));
    const [one, other] = [listOf("b1", "-", "a1"), listOf("c1", "a2")];
    const groups = grouped(first, joinedParts<string>([one, ["c0", "-"], other]));
    expect([...groups]).toEqual([
      ["b", ["b1"]],
      ["a", ["a1", "a2"]],
      ["c", ["c0", "c1"]],
    ]);
    read();
    one.push("a3");
    expect(grouped(first, joinedParts<string>([one, other])).get("a")).toEqual(["a1", "a3", "a2"]);
    expect(read()).toBe("a3");
    expect([...grouped(first, ["-", "d"])]).toEqual([["d", ["d"]]]);
  });

  it("is the items themselves if they are in no list and only fields of them are wanted", () => {
    const fieldsOf = ({ name }: { name: string }) => ({ name });
    const items = [{ name: "a", size: 1 }];
    expect(itemFields(fieldsOf, items)).toBe(items);
    const list = new GrowingList<(typeof items)[0]>();
    list.push(items[0]!);
    expect(itemFields(fieldsOf, list.with(items))).toEqual([{ name: "a" }, { name: "a" }]);
  });
});

describe("a fold over items", () => {
  /** Collects items in order, and reads each item of a list once. */
  function openFold(isJoined: boolean) {
    const { each, read } = openReading();
    const add = each((item) => item);
    const fold: Fold<string, string> = {
      start: () => "",
      take: (text, item) => text + add(item),
      ...(isJoined && { join: (texts: readonly string[]) => texts.join("") }),
    };
    return { fold, read };
  }

  it("joins the states of all lists if it can, and reads each of their items once", () => {
    const { fold, read } = openFold(true);
    const [one, other] = [listOf("a"), listOf("b")];
    expect(foldOver(fold, joinedParts<string>([one, ["x"], other]))).toBe("axb");
    read();
    one.push("c");
    other.push("d");
    expect(foldOver(fold, joinedParts<string>([one, ["y"], other]))).toBe("acybd");
    expect(read()).toBe("cyd");
    expect(foldOver(fold, one.with([]))).toBe("ac");
    expect(foldOver(fold, ["p", "q"])).toBe("pq");
  });

  it("continues the first list alone if the order of all items matters", () => {
    const { fold, read } = openFold(false);
    const [one, other] = [listOf("a"), listOf("b")];
    expect(foldOver(fold, joinedParts<string>([one, ["x"], other]))).toBe("axb");
    read();
    one.push("c");
    expect(foldOver(fold, joinedParts<string>([one, other]))).toBe("acb");
    expect(read()).toBe("cb");
    expect(foldOver(fold, joinedParts<string>([["x"], one]))).toBe("xac");
    expect(foldOver(fold, [])).toBe("");
  });

  it("adds counts by their names", () => {
    expect(
      addedCounts([
        { right: 1, wrong: 2 },
        { right: 3, wrong: 4 },
      ]),
    ).toEqual({ right: 4, wrong: 6 });
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
