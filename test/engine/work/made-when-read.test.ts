import { describe, expect, test } from "vitest";
import { madeWhenRead } from "../../../source/engine/work/made-when-read.ts";

describe("an array whose items are made on access", () => {
  const squares = madeWhenRead(5, (at) => ({ of: at, is: at * at }));
  const same = [0, 1, 2, 3, 4].map((at) => ({ of: at, is: at * at }));

  test("creates only the items that are read", () => {
    const made: number[] = [];
    const many = madeWhenRead(100_000, (at) => (made.push(at), at));
    expect(many.length).toBe(100_000);
    expect(many[70_000]).toBe(70_000);
    expect(many.slice(10, 12)).toEqual([10, 11]);
    expect(many.at(-1)).toBe(99_999);
    expect(made).toEqual([70_000, 10, 11, 99_999]);
  });

  test("reads like an array of all its items", () => {
    expect(squares).toEqual(same);
    expect(Array.isArray(squares)).toBe(true);
    expect([...squares]).toEqual(same);
    expect(squares.map(({ is }) => is)).toEqual([0, 1, 4, 9, 16]);
    expect(squares.filter(({ is }) => is > 3).length).toBe(3);
    expect(squares.flatMap(({ is }) => [is, is])).toEqual([0, 0, 1, 1, 4, 4, 9, 9, 16, 16]);
    expect([...squares.entries()].map(([at]) => at)).toEqual([0, 1, 2, 3, 4]);
    expect(Object.keys(squares)).toEqual(Object.keys(same));
    expect(JSON.stringify(squares)).toBe(JSON.stringify(same));
    expect([squares[5], squares[-1], squares.at(7), 4 in squares, 5 in squares]).toEqual([
      undefined,
      undefined,
      undefined,
      true,
      false,
    ]);
    expect(madeWhenRead(0, String)).toEqual([]);
  });

  test("cannot be written to", () => {
    expect(() => Object.assign(squares, ["else"])).toThrow(TypeError);
    expect(() => (squares as unknown[]).push("more")).toThrow(TypeError);
    expect(() => (squares as unknown[]).pop()).toThrow(TypeError);
    expect(squares).toEqual(same);
  });
});
