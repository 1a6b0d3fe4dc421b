import { expect, it } from "vitest";
import { GatheredBytes } from "../../../source/engine/models/network/arriving-response.ts";
import { openTestClock } from "../work/test-clock.ts";

/** The bytes passed on each time. */
function gathering() {
  const clock = openTestClock();
  const passed: string[] = [];
  const bytes = new GatheredBytes((piece) => passed.push(Buffer.from(piece).toString()), clock);
  return { clock, passed, bytes, take: (text: string) => bytes.take(Buffer.from(text)) };
}

it("the first bytes are passed on at once, and bytes that follow within 50 ms together", async () => {
  const { clock, passed, take } = gathering();
  take("a");
  take("b");
  await clock.advance(10);
  take("c");
  expect(passed).toEqual(["a"]);
  await clock.advance(40);
  expect(passed).toEqual(["a", "bc"]);
  take("d");
  await clock.advance(50);
  expect(passed).toEqual(["a", "bc", "d"]);
  expect(clock.due()).toEqual([]);
  await clock.advance(50);
  take("e");
  expect(passed).toEqual(["a", "bc", "d", "e"]);
});

it("bytes are passed on at once at the end of a stream, and when there are 64 KB", () => {
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
