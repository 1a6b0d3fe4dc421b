import { describe, expect, it } from "vitest";
import { readBuiltinName } from "../../../source/engine/models/builtin/builtin-name.ts";
import { type BuiltinSources, faultyReply } from "../../../source/engine/models/builtin/builtin-reply.ts";
import { createModels } from "../../../source/engine/models/models.ts";
import { tokenPieces } from "../../../source/engine/models/builtin/wire-reply.ts";
import { fillerText, type LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Event, Message, RunSpec } from "../../../source/engine/types.ts";
import { type Clock, machineClock } from "../../../source/engine/work/clock.ts";
import { until } from "../../until.ts";
import { openTestClock } from "../work/test-clock.ts";
import { chunksOf, textOf, toySuite, toyRequest, toySources, toySpec } from "./toy.ts";

const builtin = (sources: Partial<BuiltinSources> = {}, clock: Clock = machineClock) =>
  createModels({ settings: () => ({ endpoints: [], data: {} }), sources: { ...toySources, ...sources }, clock });

const replies = async (name: string, tasks: number, spec = toySpec) => {
  const model = builtin().model(name);
  const texts = [];
  for (let task = 0; task < tasks; task++)
    texts.push(textOf(await chunksOf(model, toyRequest({}, `t${task}`, spec))).split(":")[0]!);
  return texts;
};

describe("builtin/nothing and builtin/filler", () => {
  it("reply with an empty text and a text without content, without reading the answer key", async () => {
    const models = builtin({ taskFor: () => Promise.reject(new Error("read the task")) });
    const [nothing, filler] = [models.model("builtin/nothing"), models.model("builtin/filler")];
    expect(textOf(await chunksOf(nothing))).toBe("");
    expect(textOf(await chunksOf(filler))).toBe(fillerText);
    expect([nothing.readsAnswerKey, filler.readsAnswerKey]).toEqual([false, false]);
    expect(() => models.model("builtin/filler?rate=1")).toThrow("Expected no setting `rate`");
  });
});

describe("builtin/oracle", () => {
  it("answers from the answer key through the real client, and is marked as reading the answer key", async () => {
    const model = builtin().model("builtin/oracle");
    const chunks = await chunksOf(model);
    expect(textOf(chunks)).toBe("right:t1");
    expect(chunks.at(-1)).toEqual({ type: "finish", reason: "stop" });
    expect(chunks.at(-2)).toMatchObject({ type: "usage", estimated: false });
    expect(model.readsAnswerKey).toBe(true);
    expect(model.price).toEqual({ input: 0, output: 0 });
  });

  it("sends whole calls, receives messages unchanged, and ends before a stop string", async () => {
    const call = { id: "c9", name: "find", text: '{"where":"Zürich 東京"}', arguments: { where: "Zürich 東京" } };
    let seen: readonly Message[] = [];
    const loaded = {
      ...toySuite,
      oracle: (_task: unknown, asked: { messages: readonly Message[] }) => {
        seen = asked.messages;
        return { text: "Thought: go\nObservation: no", calls: [call] };
      },
    } as unknown as LoadedSuite;
    const messages: Message[] = [
      { role: "user", content: "Go 🚀" },
      { role: "assistant", content: "", calls: [call] },
      { role: "tool", callId: "c9", content: "{}" },
    ];
    const model = builtin({ loadedFor: () => Promise.resolve(loaded) }).model("builtin/oracle");
    const chunks = await chunksOf(model, toyRequest({ messages, stop: ["\nObservation"] }));
    expect(textOf(chunks)).toBe("Thought: go");
    expect(chunks.find((chunk) => chunk.type === "call")?.call).toEqual(call);
    expect(chunks.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
    expect(seen).toEqual(messages);
  });

  it("can be slowed down for watching, and aborted during the delay", async () => {
    const clock = openTestClock();
    let ended = false;
    void chunksOf(builtin({}, clock).model("builtin/oracle?pace=10")).then(() => (ended = true));
    await until(async () => {
      if (clock.due()[0] === 10) await clock.advance(10);
      expect(ended).toBe(true);
    });
    expect(clock.now()).toBeGreaterThanOrEqual(40);
    const stop = new AbortController();
    const slow = async () => {
      const stream = builtin({}, clock)
        .model("builtin/oracle?pace=60000")
        .stream(toyRequest({ signal: stop.signal }));
      for await (const chunk of stream) expect(chunk).toBeDefined();
    };
    const stopped = expect(slow()).rejects.toMatchObject({ name: "AbortError" });
    await until(() => expect(clock.due()).toContain(60_000));
    stop.abort();
    await stopped;
  });

  it("throws an error of its suite unchanged, without a retry", async () => {
    let asked = 0;
    const loadedFor = () => {
      asked += 1;
      return Promise.reject(new TypeError("a bug"));
    };
    await expect(chunksOf(builtin({ loadedFor }).model("builtin/oracle"))).rejects.toThrow(new TypeError("a bug"));
    expect(asked).toBe(1);
  });

  it("does not block the program while it computes its answer", async () => {
    const model = builtin().model("builtin/oracle");
    let answered = 0;
    let turns = 0;
    const count = () => {
      turns += 1;
      if (answered < 100) setImmediate(count);
    };
    setImmediate(count);
    for (; answered < 100; answered++) await chunksOf(model, toyRequest({}, `t${answered}`));
    expect(turns).toBeGreaterThanOrEqual(100);
  });
});

describe("builtin/slips", () => {
  it("injects faults of the requested kinds at the requested rates, deterministically", async () => {
    const name = "builtin/slips?loud=0.3&late=0.1&seed=3";
    const said = await replies(name, 600);
    const count = (kind: string) => said.filter((text) => text === kind).length;
    // Four standard deviations of a binomial of 600.
    expect(Math.abs(count("loud") - 180)).toBeLessThan(45);
    expect(Math.abs(count("late") - 60)).toBeLessThan(30);
    expect(count("right")).toBe(600 - count("loud") - count("late"));
    expect(await replies(name, 600)).toEqual(said);
  });

  it("injects different mistakes with another seed, in another trial, and in a run with other settings", async () => {
    const some = await replies("builtin/slips?rate=0.5", 40);
    expect(await replies("builtin/slips?rate=0.5&seed=9", 40)).not.toEqual(some);
    expect(await replies("builtin/slips?rate=0.5", 40, { ...toySpec, trial: 1 })).not.toEqual(some);
    expect(await replies("builtin/slips?rate=0.5", 40, { ...toySpec, strategy: "cot" })).not.toEqual(some);
  });

  it("divides one rate over all kinds, and replaces a kind that is impossible", async () => {
    const said = await replies("builtin/slips?rate=0.6", 600);
    const byKind = await replies("builtin/slips?loud=0.2&late=0.2&never=0.2", 600);
    const count = (kind: string, texts: readonly string[]) => texts.filter((text) => text === kind).length;
    // Every mistake is the same with either setting, and only replies without one are different.
    for (const [index, text] of byKind.entries()) if (text !== "right") expect(said[index]).toBe(text);
    // Four standard deviations of a binomial of 600, of 0.6 and of 0.4.
    expect(Math.abs(count("right", said) - 240)).toBeLessThan(48);
    expect(Math.abs(count("right", byKind) - 360)).toBeLessThan(48);
    const replaced = said.filter((text, index) => text !== byKind[index]);
    expect(replaced.length).toBe(count("right", byKind) - count("right", said));
    // Both possible kinds are equally likely in the place of the impossible kind.
    expect(Math.abs(count("loud", replaced) - replaced.length / 2)).toBeLessThan(4 * Math.sqrt(replaced.length / 4));
    expect(count("loud", replaced) + count("late", replaced)).toBe(replaced.length);
  });

  it("injects a mistake into each task at rate 1, and none if the kind with rate 1 is impossible", async () => {
    expect(new Set(await replies("builtin/slips?rate=1", 60))).toEqual(new Set(["loud", "late"]));
    expect(await replies("builtin/slips?never=1", 5)).toEqual(Array(5).fill("right"));
    expect(await replies("builtin/slips?rate=0", 5)).toEqual(Array(5).fill("right"));
  });

  it("marks a reply with the kind of its fault, unless the reply equals the oracle's", () => {
    const asked = { role: "model", stage: "", messages: [], tools: [], spec: toySpec } as const;
    const task = { id: "t1", question: "", input: 0, answer: 0, facets: {} };
    const marked = (text: string) => {
      const loaded = { ...toySuite, fault: () => ({ text }) };
      return faultyReply(loaded, task, asked, readBuiltinName("slips?late=1"));
    };
    expect(marked("left:t1")).toEqual({ text: "left:t1", fingerprint: "slip:late" });
    expect(marked("right:t1")).toEqual({ text: "right:t1" });
  });

  describe("in a suite that states which kinds a task allows", () => {
    /** `loud` is a mistake of the second of two requests, `late` of the user, `never` of nobody. */
    const fault: LoadedSuite["fault"] = (_task, { role, stage }, kind) =>
      (kind === "loud" && stage === "second") || (kind === "late" && role === "user") ? { text: kind } : undefined;
    const allowsFault: LoadedSuite["allowsFault"] = (_task, { roles }, kind) =>
      kind === "loud" ? roles.includes("model") : kind === "late" && roles.includes("user");
    const loaded = { ...toySuite, fault, allowsFault } as unknown as LoadedSuite;
    const model = (name: string) => builtin({ loadedFor: () => Promise.resolve(loaded) }).model(name);
    const said = async (name: string, role: "model" | "user", spec: RunSpec) => {
      const texts: string[] = [];
      for (let task = 0; task < 30; task++) {
        const asks = ["first", "second"].map((stage) => ({ asker: { task: `t${task}`, role, stage, spec } }));
        const both = [];
        for (const asked of asks) both.push(textOf(await chunksOf(model(name), toyRequest(asked))).split(":")[0]!);
        texts.push(both.join(" "));
      }
      return new Set(texts);
    };
    const slips = "builtin/slips?rate=1";

    it("makes the mistake in the request that allows it, and none in the others", async () => {
      const spec = { ...toySpec, model: slips, user: "builtin/oracle" };
      expect(await said(slips, "model", spec)).toEqual(new Set(["right loud"]));
      expect(await said("builtin/slips?rate=0", "model", spec)).toEqual(new Set(["right right"]));
      expect(await said("builtin/slips?late=1", "model", spec)).toEqual(new Set(["right right"]));
    });

    it("makes the mistakes of the roles that the model plays, one per task", async () => {
      const both = { ...toySpec, model: slips };
      expect(await said(slips, "model", both)).toEqual(new Set(["right loud", "right right"]));
      expect(await said(slips, "user", both)).toEqual(new Set(["late late", "right loud"]));
      const other = { ...toySpec, model: "builtin/oracle", user: slips };
      expect(await said(slips, "user", other)).toEqual(new Set(["late late"]));
    });
  });

  it("reports a task that it cannot answer", async () => {
    const problem = (name: string) => builtin().problem(`builtin/${name}`);
    expect(problem("slips?rate=2")).toBe("Expected `rate` from 0 to 1, got `2`");
    expect(problem("slips?loud=0.7&late=0.7")).toContain("add up to at most 1, got 1.4");
    expect(problem("slips?rate=0.1&loud=0.1")).toContain("got both");
    expect(problem("oracle?rate=0.1")).toContain("no setting `rate` for `builtin/oracle`");
    expect(problem("replay")).toContain("got no `log`");
    await expect(replies("builtin/slips?typo=0.1", 1)).rejects.toThrow("(loud, late, never), got `typo`");
  });
});

describe("builtin/responder", () => {
  it("answers only in the responder's role", async () => {
    const model = builtin().model("builtin/responder");
    const asker = { task: "t1", stage: "turn", spec: toySpec };
    expect(textOf(await chunksOf(model, toyRequest({ asker: { ...asker, role: "responder" } })))).toBe("right:t1");
    await expect(chunksOf(model)).rejects.toThrow("only plays the responder");
  });
});

describe("builtin/replay", () => {
  const ask = (content: string): Message[] => [{ role: "user", content }];
  const said = (task: string, request: number, content: string, ...texts: (string | undefined)[]): object[] => [
    { task, type: "prompt", request, role: "model", model: "lab/m", stage: "plan", messages: ask(content) },
    ...texts.map((text) => ({ task, request, ...(text === undefined ? { type: "retry" } : { type: "text", text }) })),
  ];
  const log = [
    { type: "run-started" },
    { task: "t1", type: "started" },
    ...said("t1", 0, "first", "lost", undefined, "one", " two"),
    ...said("t2", 0, "first", "of another task"),
    ...said("t1", 1, "again", "a"),
    ...said("t1", 2, "again", "b"),
  ] as unknown as Event[];
  const eventsOf = (run: string) => (run === "r1" ? Promise.resolve(log) : Promise.reject(new Error(`no run ${run}`)));
  const answers = async (...contents: string[]) => {
    const model = builtin({ eventsOf }).model("builtin/replay?log=r1");
    const texts = [];
    for (const content of contents) texts.push(textOf(await chunksOf(model, toyRequest({ messages: ask(content) }))));
    return texts;
  };

  it("is marked as reading the answer key if the replayed run read it, or if that run is unknown", () => {
    const specs: Readonly<Record<string, RunSpec>> = {
      real: { ...toySpec, model: "lab/m" },
      oracle: { ...toySpec, model: "builtin/oracle" },
      judged: { ...toySpec, model: "lab/m", judge: "builtin/responder" },
      ofReal: { ...toySpec, model: "builtin/replay?log=real" },
      older: { ...toySpec, model: "builtin/withdrawn" },
      ofItself: { ...toySpec, model: "builtin/replay?log=ofItself" },
    };
    const models = builtin({ eventsOf, specOf: (run) => specs[run] });
    const reads = (run: string) => models.model(`builtin/replay?log=${run}`).readsAnswerKey;
    expect(Object.keys(specs).filter(reads)).toEqual(["oracle", "judged", "ofItself"]);
    expect(reads("gone")).toBe(true);
  });

  it("replays the reply to the same messages, without the part voided by a retry", async () => {
    expect(await answers("first")).toEqual(["one two"]);
  });

  it("returns usage and finish reason, without calls that were parsed from text", async () => {
    const usage = { input: 12, output: 7, estimated: false, cached: 4, reasoning: 2, cost: 0.25 };
    const call = { id: "a", name: "look", text: "{}", arguments: {} };
    const chunks = [
      { type: "text", text: "Action: look" },
      { type: "usage", ...usage },
      { type: "finish", reason: "length" },
      { type: "call", call },
    ].map((chunk) => ({ task: "t1", request: 0, ...chunk }));
    const saved = [...said("t1", 0, "first"), ...chunks] as unknown as Event[];
    const model = builtin({ eventsOf: () => Promise.resolve(saved) }).model("builtin/replay?log=r1");
    const replayed = await chunksOf(model, toyRequest({ messages: ask("first") }));
    expect(replayed.some(({ type }) => type === "call")).toBe(false);
    expect(replayed).toContainEqual(expect.objectContaining({ type: "usage", ...usage }));
    expect(replayed).toContainEqual(expect.objectContaining({ type: "finish", reason: "length" }));
  });

  it("gives identical requests their replies in order, and starts over after the last reply", async () => {
    expect(await answers("again", "again", "again")).toEqual(["a", "b", "a"]);
  });

  it("uses the reply to the same role and stage if the prompt has changed", async () => {
    expect(await answers("reworded", "reworded")).toEqual(["one two", "a"]);
  });

  it("reports a missing reply in the log", async () => {
    const request = toyRequest({}, "t9");
    const model = builtin({ eventsOf }).model("builtin/replay?log=r1");
    await expect(chunksOf(model, request)).rejects.toThrow("no reply to stage `plan` of role `model` for task `t9`");
    await expect(chunksOf(builtin({ eventsOf }).model("builtin/replay?log=r2"))).rejects.toThrow("no run r2");
  });
});

it("token pieces of a text are token-like and join to the same text", () => {
  for (const text of ["", "a", "word and word", "🚀🚀🚀🚀🚀", "計画を立てる", "x".repeat(99)]) {
    const pieces = tokenPieces(text);
    expect(pieces.join("")).toBe(text);
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
  }
  expect(tokenPieces("one two")).toEqual(["one", " two"]);
});
