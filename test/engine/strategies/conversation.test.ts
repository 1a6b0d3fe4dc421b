/** A conversation of two models in a room with a lamp: each side has its own switch. */
import { describe, expect, it } from "vitest";
import { ContextProblem } from "../../../source/engine/models/problem.ts";
import type { Conversation, ConversationAnswer, Reply } from "../../../source/engine/protocol.ts";
import { repeatedReplies, savedRequests } from "../../../source/engine/run/saved-replies.ts";
import { conversation } from "../../../source/engine/strategies/conversation.ts";
import type { TaskContext } from "../../../source/engine/strategy.ts";
import type { Chunk, ModelRequest, Role, RunSpec, Step, TaskEvent, ToolSpec } from "../../../source/engine/types.ts";
import { callTo, collect, notes, task } from "./scripted-context.ts";

type Line = readonly [role: "model" | "user", reply: string | Reply | Error];
type Loaded = TaskContext<"conversation">["loaded"];
type Play = { readonly requests: ModelRequest[]; readonly room: Room; readonly context: TaskContext<"conversation"> };

const press: ToolSpec = { name: "press", description: "Presses a switch.", parameters: { type: "object" } };
const calling = (...names: readonly string[]): Reply => ({
  text: "",
  calls: names.map((name, index) => callTo(name, { times: 1 }, `${name}-${index}`)),
});

/** The lamp is on if both sides pressed their switch. */
class Room {
  readonly pressed: Role[] = [];
  isClosed = false;

  open(settings: Partial<Conversation> = {}): Conversation {
    return {
      sides: {
        model: { opening: [{ role: "system", content: "Help." }], tools: [press] },
        user: { opening: [{ role: "system", content: "You want light." }], tools: [press] },
      },
      greeting: "Hello?",
      call: async (by, { name }) => {
        if (name !== "press") return { ok: false, observation: "No such switch", status: "failed" };
        this.pressed.push(by);
        return { ok: true, observation: `${new Set(this.pressed).size === 2 ? "light" : "dark"}`, status: "pressed" };
      },
      ends: (by, text) => (by === "user" && text.includes("STOP") ? "user stop" : undefined),
      limits: { steps: 20, errors: 3 },
      close: async () => void (this.isClosed = true),
      ...settings,
    };
  }
}

function play(script: readonly Line[], settings?: Partial<Conversation>, more: Pick<TaskContext, "saved"> = {}): Play {
  const requests: ModelRequest[] = [];
  const waiting = [...script];
  const room = new Room();
  const stream = async function* (request: ModelRequest): AsyncIterable<Chunk> {
    requests.push(request);
    const [role, reply] = waiting.shift() ?? ["nobody", ""];
    if (role !== request.asker.role) throw new Error(`Expected a request to ${role}, got one to ${request.asker.role}`);
    if (reply instanceof Error) throw reply;
    const { text, calls = [] } = typeof reply === "string" ? { text: reply } : reply;
    if (text !== "") yield { type: "text", text };
    for (const call of calls) yield { type: "call", call };
    yield { type: "finish", reason: "stop" };
  };
  const asks = {
    conversation: {
      open: async () => room.open(settings),
      limits: () => ({ requests: 20, prompt: 100, reply: 10 }),
    },
  };
  let request = 0;
  const context: TaskContext<"conversation"> = {
    task,
    loaded: { asks } as unknown as Loaded,
    spec: { suite: "toy", options: {}, temperature: 0, seed: 0, user: "test/user", budget: {} } as unknown as RunSpec,
    shots: [],
    model: () => ({ name: "test/scripted", readsAnswerKey: false, stream }),
    random: () => 0.5,
    signal: new AbortController().signal,
    nextRequest: () => request++,
    ...more,
  };
  return { requests, room, context };
}

const answerIn = (steps: readonly Step[]): ConversationAnswer => {
  const answer = steps.findLast((step) => step.type === "answer");
  return (answer as { readonly answer: unknown }).answer as ConversationAnswer;
};

/** What a request shows, in short: `s` followed by its texts and calls. */
const shown = ({ messages }: ModelRequest) =>
  messages.slice(1).map((message) => {
    const calls = message.role === "assistant" ? (message.calls ?? []) : [];
    return `${message.role}: ${message.content}${calls.map(({ name, text }) => `${name}${text}`).join(" ")}`;
  });

const bothPress: readonly Line[] = [
  ["user", "It is dark."],
  ["model", calling("press")],
  ["model", "Press yours."],
  ["user", calling("press")],
  ["user", "Thanks. STOP"],
];

describe("a conversation of model and user", () => {
  it("shows each side its own calls and the texts of the other side, and both sides change one state", async () => {
    const { requests, room, context } = play(bothPress);
    const answer = answerIn(await collect(conversation.run(context)));
    expect(answer).toEqual({
      end: { by: "user", reason: "user stop" },
      steps: 7,
      errors: 0,
      turns: [
        { by: "model", text: "Hello?" },
        { by: "user", text: "It is dark." },
        { by: "model", calls: [{ name: "press", arguments: '{"times":1}' }] },
        { by: "model", text: "Press yours." },
        { by: "user", calls: [{ name: "press", arguments: '{"times":1}' }] },
        { by: "user", text: "Thanks. STOP" },
      ],
    });
    expect(room.pressed).toEqual(["model", "user"]);
    expect(shown(requests[2]!)).toEqual([
      "assistant: Hello?",
      "user: It is dark.",
      'assistant: press{"times":1}',
      "tool: dark",
    ]);
    expect(shown(requests[4]!)).toEqual([
      "user: Hello?",
      "assistant: It is dark.",
      "user: Press yours.",
      'assistant: press{"times":1}',
      "tool: light",
    ]);
  });

  it("ends at the step limit, even if the last message would end the conversation, too", async () => {
    const { context } = play(bothPress, { limits: { steps: 7, errors: 3 } });
    expect(answerIn(await collect(conversation.run(context))).end).toEqual({ by: "limit", reason: "step limit" });
  });

  it("ends after too many failed calls of both sides together", async () => {
    const failing: readonly Line[] = [
      ["user", calling("kick", "kick")],
      ["user", "Help!"],
      ["model", calling("pull")],
    ];
    const { context } = play(failing);
    const { end, errors } = answerIn(await collect(conversation.run(context)));
    expect({ end, errors }).toEqual({ end: { by: "limit", reason: "error limit" }, errors: 3 });
  });

  it("hides text that accompanies calls from the other side, or ends by the sender's mistake if such text is forbidden", async () => {
    const beside: readonly Line[] = [["user", { ...calling("press"), text: "STOP" }], ...bothPress.slice(0, 1)];
    const { context, requests } = play([...beside, ...bothPress.slice(1)]);
    await collect(conversation.run(context));
    expect(shown(requests[2]!)).toEqual(["assistant: Hello?", "user: It is dark."]);
    const { context: separate, room } = play(beside, { separate: true });
    const { end } = answerIn(await collect(conversation.run(separate)));
    expect({ end, pressed: room.pressed }).toEqual({ end: { by: "user", reason: "text beside calls" }, pressed: [] });
  });

  it("asks a model at most three more times for a valid message, and then ends by that model's mistake", async () => {
    const unread = { text: "", calls: [{ ...callTo("press", {}), text: "[", arguments: undefined }] };
    const silent: readonly Line[] = [" ", unread, { text: "" }, " "].map((reply) => ["model", reply]);
    const { context, requests } = play([["user", "Hi"], ...silent]);
    const answer = answerIn(await collect(conversation.run(context)));
    expect({ end: answer.end, requests: requests.length }).toEqual({
      end: { by: "model", reason: "no message" },
      requests: 5,
    });
  });

  it("asks again if any call of a reply cannot be read", async () => {
    const broken = { ...callTo("press", {}), text: "[", arguments: undefined };
    const script: readonly Line[] = [
      ["user", { text: "", calls: [callTo("press", {}), broken] }],
      ["user", calling("press")],
      ["user", "STOP"],
    ];
    const { context, room, requests } = play(script);
    expect(answerIn(await collect(conversation.run(context)))).toMatchObject({ steps: 3, errors: 0 });
    expect([room.pressed, requests.length]).toEqual([["user"], 3]);
  });

  it("announces its environment, so that it is closed with the task", async () => {
    const { context } = play([["user", "STOP"]]);
    const opened: unknown[] = [];
    await collect(conversation.run({ ...context, opened: (one) => void opened.push(one) }));
    expect(opened).toMatchObject([{ greeting: "Hello?" }]);
  });

  it("begins with the user's first message if nobody greets, and offers no tools to a side without tools", async () => {
    const sides = {
      model: { opening: [{ role: "system", content: "Help." }], tools: [press] },
      user: { opening: [{ role: "system", content: "You want light." }], tools: [] },
    } as const;
    const script: readonly Line[] = [
      ["user", "It is dark."],
      ["model", calling("press")],
      ["model", "Better?"],
      ["user", "STOP"],
    ];
    const { greeting: _, ...silent } = new Room().open({ sides });
    const { context, requests } = play(script, { ...silent, greeting: undefined as never, sides });
    const { turns, steps } = answerIn(await collect(conversation.run(context)));
    expect(steps).toBe(5);
    expect(turns.map(({ by }) => by)).toEqual(["user", "model", "model", "user"]);
    expect(requests.map(({ tools }) => tools?.length)).toEqual([undefined, 1, 1, undefined]);
    expect(shown(requests[0]!)).toEqual([]);
    expect(shown(requests[3]!)).toEqual(["assistant: It is dark.", "user: Better?"]);
  });

  it("notes what a side sees after its calls whenever that has changed", async () => {
    const seen = ["dark", "dark", undefined, "light"];
    const script: readonly Line[] = [
      ["user", calling("press")],
      ["user", calling("press", "press")],
      ["user", calling("press")],
      ["user", "Your turn."],
      ["model", calling("press")],
      ["model", "Done."],
      ["user", "STOP"],
    ];
    const { context } = play(script, { sees: () => seen.shift() });
    const found = (await collect(conversation.run(context))).filter(
      (step) => step.type === "note" && step.kind !== "end",
    );
    expect(found.map((step) => step.type === "note" && [step.text, step.data])).toEqual([
      ["dark", { side: "user" }],
      ["light", { side: "model" }],
    ]);
  });

  it("writes the arguments of calls as the conversation writes them, and ends with a note on its length", async () => {
    const { context } = play(bothPress, { written: ({ name }) => `<${name}>` });
    const steps = await collect(conversation.run(context));
    expect(answerIn(steps).turns[2]).toEqual({ by: "model", calls: [{ name: "press", arguments: "<press>" }] });
    expect(steps.at(-1)).toEqual({
      type: "note",
      kind: "end",
      text: "user stop",
      data: { by: "user", steps: 7, errors: 0 },
    });
  });

  it("fails without a score if the user's model gives no message, or if its prompt is too long", async () => {
    const silent: readonly Line[] = Array.from({ length: 4 }, () => ["user", ""] as const);
    await expect(collect(conversation.run(play(silent).context))).rejects.toMatchObject({ kind: "tool" });
    const full = play([["user", new ContextProblem("too long")]]);
    await expect(collect(conversation.run(full.context))).rejects.toMatchObject({ kind: "tool" });
  });

  it("keeps the turns so far, with the cause, if the prompt exceeds the model's context", async () => {
    const { context } = play([
      ["user", "Hi"],
      ["model", new ContextProblem("too long")],
    ]);
    const steps: Step[] = [];
    const running = (async () => {
      for await (const step of conversation.run(context)) steps.push(step);
    })();
    await expect(running).rejects.toMatchObject({ kind: "context" });
    expect(answerIn(steps)).toMatchObject({ end: { by: "limit", reason: "context" }, turns: [{}, { text: "Hi" }] });
    expect(notes(steps, "end")).toEqual(["context: too long"]);
  });

  it("resumes in the middle of an episode: calls in saved replies rebuild the state", async () => {
    const first = play(bothPress.slice(0, 4));
    const steps: Step[] = [];
    const stopped = (async () => {
      for await (const step of conversation.run(first.context)) steps.push(step);
    })();
    await expect(stopped).rejects.toThrow("Expected a request to nobody");
    const events = steps.map((step, seq) => ({ ...step, seq, at: seq, task: task.id })) as TaskEvent[];
    const saved = savedRequests(events).filter(({ reply }) => reply.whole);
    const second = play(bothPress.slice(4), undefined, { saved: repeatedReplies(saved) });
    const answer = answerIn(await collect(conversation.run(second.context)));
    expect(answer).toEqual(answerIn(await collect(conversation.run(play(bothPress).context))));
    expect({ asked: second.requests.length, pressed: second.room.pressed }).toEqual({
      asked: 1,
      pressed: ["model", "user"],
    });
  });

  it("notes that the run's model plays the user if the run selects none", async () => {
    const { context } = play(bothPress);
    const { user: _, ...spec } = context.spec;
    const steps = await collect(conversation.run({ ...context, spec }));
    expect(notes(steps, "own-user")).toEqual(["The run names no user: its model plays the user, too"]);
  });

  it("has an upper bound as its forecast", () => {
    const { context } = play([]);
    const estimate = conversation.estimate!(context);
    expect(estimate).toEqual({ calls: 20, input: 2000, output: 200, atMost: true });
  });
});
