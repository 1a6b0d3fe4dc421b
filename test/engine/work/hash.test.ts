import { expect, it } from "vitest";
import { firstHash, nextHash } from "../../../source/engine/work/hash.ts";

// Vectors of draft-eastlake-fnv, section 8.1, for 32 bits.
it.each([
  ["", 0x811c9dc5],
  ["a", 0xe40c292c],
  ["b", 0xe70c2de5],
  ["foo", 0xa9f37ed7],
  ["foobar", 0xbf9cf968],
])("the hash of %j equals the published one of FNV-1a", (text, published) => {
  expect([...Buffer.from(text)].reduce(nextHash, firstHash) >>> 0).toBe(published);
});
