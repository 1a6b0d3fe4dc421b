import { expect, it } from "vitest";
import { GatheredBytes, Gathering } from "../../../source/engine/models/network/arriving-response.ts";
import { openTestClock } from "../work/test-clock.ts";

/** The bytes passed on each time. */
function gathering(clock = openTestClock(), all = new Gathering(clock)) {
  const passed: string[] = [];
  const bytes = new GatheredBytes((piece) => passed.push(Buffer.from(piece).toString()), all);
  return { clock, all, passed, bytes, take: (text: string) => bytes.take(Buffer.from(text)) };
}

it("the first bytes are passed on at once, and bytes within the next 50 ms are passed on together", async () => {
  const { clock, passed, take } = gathering();
  take("a");
  take("b");
  await clock.advance(10);
  take("c");
  await clock.advance(39);
  expect(passed).toEqual(["a"]);
  await clock.advance(1);
  expect(passed).toEqual(["a", "bc"]);
  take("d");
  await clock.advance(50);
  expect(passed).toEqual(["a", "bc", "d"]);
  expect(clock.due()).toEqual([]);
  await clock.advance(50);
  take("e");
  expect(passed).toEqual(["a", "bc", "d", "e"]);
});

it("bytes are passed on immediately at the end of a stream, and after 64 KB have arrived", () => {
  const { clock, passed, bytes, take } = gathering();
  take("a");
  take("b");
  take("c");
  bytes.end();
  expect(passed).toEqual(["a", "bc"]);
  bytes.end();
  take("x".repeat(64 * 1024));
  expect(passed.map(({ length }) => length)).toEqual([1, 2, 64 * 1024]);
  expect(clock.due()).toEqual([]);
});

it("cancelled bytes are dropped", async () => {
  const { clock, passed, bytes, take } = gathering();
  take("a");
  take("b");
  bytes.drop();
  await clock.advance(100);
  bytes.end();
  expect(passed).toEqual(["a"]);
});

it("the bytes of several answers are passed on together, at most one frame after the first bytes", async () => {
  const { clock, all, passed, take } = gathering();
  const other = gathering(clock, all);
  for (const text of ["a", "b"]) take(text);
  await clock.advance(30);
  for (const text of ["1", "2"]) other.take(text);
  expect(clock.due()).toHaveLength(1);
  await clock.advance(20);
  expect([passed, other.passed]).toEqual([
    ["a", "b"],
    ["1", "2"],
  ]);
  // The other answer's last bytes have just been passed on.
  other.take("3");
  await clock.advance(49);
  expect(other.passed).toEqual(["1", "2"]);
  take("c");
  expect(passed).toEqual(["a", "b"]);
  other.bytes.end();
  expect(clock.due()).toHaveLength(1);
  await clock.advance(1);
  expect([passed, other.passed]).toEqual([
    ["a", "b", "c"],
    ["1", "2", "3"],
  ]);
  expect(clock.due()).toEqual([]);
});
