import { describe, expect, it } from "vitest";
import { NoReply, readReply } from "../../../source/engine/models/network/reply-body.ts";

/** The values of an answer whose bytes arrive in these pieces. */
async function valuesOf(...pieces: readonly (string | readonly number[])[]): Promise<unknown[]> {
  const body = ReadableStream.from(pieces.map((piece) => Uint8Array.from(Buffer.from(piece))));
  const values: unknown[] = [];
  for await (const each of (await readReply(new Response(body), () => {})).pieces) values.push(...each);
  return values;
}

const mark = [0xef, 0xbb, 0xbf];

describe("the format of an HTTP answer", () => {
  it.each([
    ["at once", ['{"a":', "1}"]],
    ["after spaces and a byte order mark, read byte by byte", [...mark.map((byte) => [byte]), " ", "\r\n", '{"a":1}']],
  ])("is one JSON value if the answer starts like JSON, %s", async (_when, pieces) => {
    expect(await valuesOf(...pieces)).toEqual([{ a: 1 }]);
  });

  it("is an HTML page, which is rejected, if the answer starts like HTML", async () => {
    await expect(valuesOf("\n", "<html><title>Sign in</title>")).rejects.toThrow(NoReply);
  });

  it.each([
    ["data: 1\n\nda", "ta: 2\n\n"],
    [mark, "\n", ": waiting\n\ndata: 1\n\ndata: 2\n\n"],
    ["：\n\ndata: 1\n", "\ndata: 2"],
  ])("is a stream of events otherwise (%j)", async (...pieces) => {
    expect(await valuesOf(...pieces)).toEqual([1, 2]);
  });

  it("is undefined if nothing arrives", async () => {
    expect(await valuesOf()).toEqual([]);
    expect(await valuesOf(" ", "\n")).toEqual([]);
  });
});
