/** Streamed events that differ only in their text are read as one; all other events are not joined. */
import { describe, expect, test } from "vitest";
import { readReply } from "../../../source/engine/models/network/reply-body.ts";
import { StreamedReply } from "../../../source/engine/models/replies/streamed-reply.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";

const chunk = (content: string, more: object = {}) => ({
  id: "one",
  model: "m",
  choices: [{ index: 0, delta: { content }, finish_reason: null, ...more }],
});

/** All values read from these events, which arrive together. */
async function valuesOf(events: readonly string[]): Promise<unknown[]> {
  const body = `${events.map((data) => `data: ${data}\n\n`).join("")}data: [DONE]\n\n`;
  const { pieces } = await readReply(new Response(body), () => {});
  const values: unknown[] = [];
  for await (const piece of pieces) values.push(...piece);
  return values;
}

const written = (chunks: readonly object[]) => valuesOf(chunks.map((each) => JSON.stringify(each)));

describe("stream events that arrive together", () => {
  test("are joined if only the text differs", async () => {
    const values = await written(["a", "b", " c", "", "d"].map((text) => chunk(text)));
    expect(values).toEqual([chunk("a"), chunk("b cd")]);
  });

  test("are also joined if a server writes spaces after colons", async () => {
    const spaced = (text: string) => `{"choices": [{"delta": {"content": "${text}"}}]}`;
    const values = await valuesOf(["a", "b", "c"].map(spaced));
    expect(values).toEqual([JSON.parse(spaced("a")), JSON.parse(spaced("bc"))]);
  });

  test("are joined if the text contains quotes, backslashes and line breaks, as a streamed plan in JSON does", async () => {
    const texts = ['{"', 'plan":', "[\n", "C:\\", "\u0007", "\ud83d", "\ude00", '"]}'];
    expect(await written([chunk("a"), ...texts.map((text) => chunk(text))])).toEqual([
      chunk("a"),
      chunk('{"plan":[\nC:\\\u0007\ud83d\ude00"]}'),
    ]);
  });

  test("are not joined if an escape is incomplete", async () => {
    const raw = (text: string) => JSON.stringify(chunk("HERE")).replace("HERE", text);
    for (const broken of ["\\", "\\u00", "\\x"])
      await expect(valuesOf([raw("a"), raw("b"), raw(broken), raw("n0041")]), broken).rejects.toThrow(SyntaxError);
  });

  test("are not joined if any other field differs", async () => {
    const chunks = [chunk("a"), chunk("b"), { ...chunk("c"), id: "two" }, chunk("d", { finish_reason: "stop" })];
    expect(await written(chunks)).toEqual(chunks);
  });

  test("are not joined if the difference is outside the answer's text", async () => {
    const chunks = ["a", "b", "c"].map((id) => ({ ...chunk("same"), id }));
    expect(await written(chunks)).toEqual(chunks);
    const called = ["a", "b", "c"].map((content) => ({ choices: [{ delta: { tool_calls: [{ content }] } }] }));
    expect(await written(called)).toEqual(called);
  });

  test("are not joined if either of two fields could be the text", async () => {
    const chunks = ["a", "a", "b"].map((content) => ({ more: { content: "a" }, ...chunk(content) }));
    expect(await written(chunks)).toEqual(chunks);
    const hidden = ["a", "b"].map((content) => ({ 'the "content': content, ...chunk("same") }));
    expect(await written(hidden)).toEqual(hidden);
  });

  test("exclude text between events that is not JSON", async () => {
    const [first, second] = [JSON.stringify(chunk("a")), JSON.stringify(chunk("b"))];
    const broken = JSON.stringify(chunk("HERE")).replace("HERE", 'x"y');
    await expect(valuesOf([first, second, broken])).rejects.toThrow(SyntaxError);
    const hidden = JSON.stringify(chunk("HERE")).replace("HERE", 'x","refusal":"y');
    const values = await valuesOf([first, second, hidden]);
    expect(values.at(-1)).toEqual(JSON.parse(hidden));
  });

  test("give the same reply as single events, wherever the text is split", async () => {
    const random = randomFrom("text runs");
    const words = ["a", " b", "\n", '"', "\\", "é", "😀", "\u0007", "<think>", "</think>", "data: ", "}", '"}', ""];
    for (let round = 0; round < 200; round++) {
      const texts = Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]!);
      const chunks = [...texts.map((text) => chunk(text)), chunk("", { finish_reason: "stop" })];
      const [apart, together] = [new StreamedReply(), new StreamedReply()];
      for (const each of chunks) apart.take(each);
      for (const each of await written(chunks)) together.take(each);
      for (const reply of [apart, together]) reply.end();
      expect({ ...together }).toEqual({ ...apart });
    }
  });
});
