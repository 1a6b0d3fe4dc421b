import { describe, expect, it } from "vitest";
import { type PromptNews, promptNews } from "../../../source/engine/log/prompt-news.ts";

const user = (content: string) => ({ role: "user", content }) as const;
/** Leaves out the whole message, which the request contains. */
const news = (...asked: Parameters<typeof promptNews>): Omit<PromptNews, "whole">[] =>
  promptNews(...asked).map(({ role, text, repeated }) => ({ role, text, repeated }));
const system = { role: "system", content: "You plan." } as const;

describe("the new part of a prompt", () => {
  it("is the whole prompt for the first prompt", () => {
    expect(news([system, user("Go")], [])).toEqual([
      { role: "system", text: "You plan.", repeated: 0 },
      { role: "user", text: "Go", repeated: 0 },
    ]);
  });

  it("is the added message, without text that was already shown when it arrived", () => {
    const before = [system, user("Go")];
    const reply = { role: "assistant", content: "Went" } as const;
    const result = { role: "tool", callId: "1", content: "there" } as const;
    expect(news([...before, reply, result, user("And now?")], before)).toEqual([
      { role: "user", text: "And now?", repeated: 0 },
    ]);
    expect(news([...before, reply, result], before)).toEqual([]);
  });

  it("contains only the lines that were inserted between earlier lines", () => {
    const prompt = (steps: readonly string[]) => user(["Tools:", "a", "b", ...steps, "Action:"].join("\n"));
    expect(news([prompt(["1: x", "2: y", "2: z"])], [prompt(["1: x"])])).toEqual([
      { role: "user", text: "2: y\n2: z", repeated: 5 },
    ]);
    expect(news([prompt(["1: x"])], [prompt(["1: x", "2: y"])])).toEqual([{ role: "user", text: "", repeated: 5 }]);
  });

  it("also contains the whole text of a new message", () => {
    expect(promptNews([user("a\nb")], [user("a")]).map(({ whole }) => whole)).toEqual(["a\nb"]);
  });

  it("counts each line once if lines repeat", () => {
    expect(news([user("a\na\na")], [user("a\na")])).toEqual([{ role: "user", text: "a", repeated: 2 }]);
  });
});
