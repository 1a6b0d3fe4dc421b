/** Logs of Claude Code, compared with the messages and calls that inspect-scout 0.6.1 read from them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTask } from "../../source/engine/log/file/indexed-log.ts";
import type { Event } from "../../source/engine/types.ts";
import { jsonLines, temporaryFolder, typed } from "../commands/typed.ts";

const folder = temporaryFolder();

const session = "11111111-2222-3333-4444-555555555555";
const id = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, "0")}`;
const own = (number: number, parent: number | undefined) => ({
  uuid: id(number),
  parentUuid: parent === undefined ? null : id(parent),
  timestamp: `2026-01-05T10:00:${String(number).padStart(2, "0")}.000Z`,
  isSidechain: false,
  sessionId: session,
});
const user = (number: number, parent: number | undefined, content: unknown, more: object = {}) => ({
  type: "user",
  ...own(number, parent),
  message: { role: "user", content },
  ...more,
});
const assistant = (number: number, parent: number, message: string, content: unknown) => ({
  type: "assistant",
  ...own(number, parent),
  message: {
    id: message,
    role: "assistant",
    model: "claude-opus-4",
    content,
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 7 },
  },
});
const call = (name: string, of: string, input: object) => ({ type: "tool_use", id: of, name, input });
const result = (of: string, content: unknown, more: object = {}) => ({
  type: "tool_result",
  tool_use_id: of,
  content,
  ...more,
});

const main = [
  { type: "summary", summary: "Mend the parser", leafUuid: id(9) },
  { type: "file-history-snapshot", messageId: id(1), snapshot: {} },
  user(1, undefined, "<command-name>/model</command-name>"),
  user(2, 1, "<local-command-stdout>Set model</local-command-stdout>"),
  user(3, 2, "Mend the parser, please."),
  assistant(4, 3, "m1", [{ type: "thinking", thinking: "Look first." }]),
  assistant(5, 4, "m1", [{ type: "text", text: "I look." }]),
  assistant(6, 5, "m1", [call("Read", "c1", { file_path: "/p.py" })]),
  user(7, 6, [result("c1", "def parse(): pass")]),
  assistant(8, 7, "m2", [call("Task", "c2", { prompt: "Find all uses.", subagent_type: "Explore" })]),
  user(20, 8, [result("c2", [{ type: "text", text: "Two uses." }])], { toolUseResult: { agentId: "abc1234" } }),
  assistant(21, 20, "m3", [call("Bash", "c3", { command: "make" }), call("Bash", "c4", { command: "test" })]),
  user(22, 21, [result("c3", "boom", { is_error: true })]),
  user(23, 22, [result("c4", "ok")]),
  assistant(26, 23, "m4", [{ type: "text", text: "Mended." }]),
  user(27, 26, [
    { type: "text", text: "Thanks." },
    { type: "text", text: "And the tests?" },
  ]),
  assistant(28, 27, "m5", [{ type: "text", text: "They pass." }]),
];
const subagent = [
  user(10, undefined, "Find all uses."),
  assistant(11, 10, "s1", [call("Grep", "d1", { pattern: "parse" })]),
  user(12, 11, [result("d1", "a.py\nb.py")]),
  assistant(13, 12, "s2", [{ type: "text", text: "Two uses." }]),
].map((line) => ({ ...line, isSidechain: true, agentId: "abc1234" }));

/** The messages of the session as inspect-scout reads them. */
const messages = [
  ["user", "Mend the parser, please."],
  ["assistant", "I look."],
  ["tool", "def parse(): pass"],
  ["assistant", ""],
  ["tool", "Two uses."],
  ["assistant", ""],
  ["tool", "boom"],
  ["tool", "ok"],
  ["assistant", "Mended."],
  ["user", "Thanks.\nAnd the tests?"],
  ["assistant", "They pass."],
];
/** Its requests in order: the reply, the calls, and the number of messages sent. */
const requests = [
  ["main", "I look.", ["c1"], 1],
  ["main", "", ["c2"], 3],
  ["Explore", "", ["d1"], 1],
  ["Explore", "Two uses.", [], 3],
  ["main", "", ["c3", "c4"], 5],
  ["main", "Mended.", [], 8],
  ["main", "They pass.", [], 10],
];

/** Imports these files and returns the output and the events of the run. */
async function imported(kind: string, ...paths: string[]) {
  const said = await typed("import", kind, ...paths, "--into", folder("mine"));
  const runs = said.status === 0 ? readdirSync(folder("mine", "runs")) : [];
  const events = runs.flatMap((run) => {
    const log = folder("mine", "runs", run, "events.jsonl");
    const lines = readFileSync(log, "utf8").trim().split("\n");
    const tasks = lines.map((line) => JSON.parse(line) as Event).filter(({ type }) => type === "started");
    return tasks.flatMap((event) => ("task" in event ? readTask(log, event.task) : []));
  });
  return { said, events };
}

function requestsOf(events: readonly Event[]) {
  return events.flatMap((event) => {
    if (event.type !== "prompt") return [];
    const parts = events.filter(
      (each) => "request" in each && each.task === event.task && each.request === event.request,
    );
    const text = parts.map((each) => (each.type === "text" ? each.text : "")).join("");
    const calls = parts.flatMap((each) => (each.type === "call" ? [each.call.id] : []));
    return [{ agent: event.agent, text, calls, messages: event.messages, parts }];
  });
}

describe("planwright import claude-code", () => {
  it("reads the same messages and calls in the same order as inspect-scout, and names the subagent", async () => {
    mkdirSync(folder("logs", session, "subagents"), { recursive: true });
    jsonLines(folder("logs", `${session}.jsonl`), main);
    jsonLines(join(folder("logs", session, "subagents"), "agent-abc1234.jsonl"), subagent);
    const { said, events } = await imported("claude-code", folder("logs"));
    expect(said).toMatchObject({ status: 0, err: expect.stringContaining("2 records not understood, kept as notes") });
    const found = requestsOf(events);
    expect(found.map(({ agent, text, calls, messages: sent }) => [agent, text, calls, sent.length])).toEqual(requests);
    const last = found.at(-1)!;
    expect([...last.messages.map(({ role, content }) => [role, content]), ["assistant", last.text]]).toEqual(messages);
    const usage = found[0]!.parts.find(({ type }) => type === "usage");
    expect(usage).toMatchObject({ input: 117, output: 5, cached: 100 });
    const results = events.flatMap((event) =>
      event.type === "result" ? [[event.callId, event.name, event.result.ok]] : [],
    );
    expect(results).toEqual([
      ["c1", "Read", true],
      ["d1", "Grep", true],
      ["c2", "Task", true],
      ["c3", "Bash", false],
      ["c4", "Bash", true],
    ]);
    const notes = events.flatMap((event) => (event.type === "note" ? [event.kind] : []));
    expect(notes.toSorted()).toEqual(["command", "command", "unread", "unread"]);
    expect(events.find(({ type }) => type === "started")).toMatchObject({ task: session, question: messages[0]![1] });
  });

  it("divides a session at /clear, and reads branches of a conversation in the order of time", async () => {
    const path = jsonLines(folder("one.jsonl"), [
      user(1, undefined, "First."),
      assistant(2, 1, "a", [{ type: "text", text: "One." }]),
      user(3, 2, "<command-name>/clear</command-name>"),
      user(4, 3, "Second."),
      assistant(6, 4, "c", [{ type: "text", text: "Later." }]),
      assistant(5, 4, "b", [{ type: "text", text: "Earlier." }]),
    ]);
    const { events } = await imported("claude-code", path);
    const tasks = events.flatMap((event) => (event.type === "started" ? [[event.task, event.question]] : []));
    expect(tasks).toEqual([
      [`${session}-0`, "First."],
      [`${session}-1`, "Second."],
    ]);
    expect(requestsOf(events).map(({ text, agent }) => [text, agent])).toEqual([
      ["One.", undefined],
      ["Earlier.", undefined],
      ["Later.", undefined],
    ]);
  });

  it("accepts a hostile log: other text, cyclic parents, invalid types", async () => {
    const path = folder("bad.jsonl");
    const lines = [
      "not json",
      "[".repeat(5000),
      JSON.stringify({ ...user(1, 2, "a\u001b[2J"), message: { role: "user", content: "a\u001b[2J" } }),
      JSON.stringify(
        assistant(2, 1, "x", [null, 7, { type: "tool_use" }, { type: "image", source: { data: "AAAA" } }]),
      ),
      JSON.stringify({ type: "user", message: 5, sessionId: session }),
      JSON.stringify({ ...user(3, 3, [{ type: "tool_result" }]), timestamp: "never" }),
    ];
    writeFileSync(path, `${lines.join("\n")}\n`);
    const { said, events } = await imported("claude-code", path);
    expect(said.status).toBe(0);
    expect(events.filter((event) => event.type === "note" && event.kind === "unread")).toHaveLength(6);
    expect(JSON.stringify(events)).not.toContain("AAAA");
    expect(said.out).not.toContain("\u001b[2J");
  });

  it("is limited like other imports, and reports a missing log", async () => {
    const path = jsonLines(folder("large.jsonl"), [user(1, undefined, "x".repeat(3_000_000))]);
    expect((await typed("import", "claude-code", path, "--into", folder("mine"), "--most", "1MB")).err).toContain(
      "Expected at most 1 MB of unpacked data",
    );
    const other = jsonLines(folder("other.jsonl"), [{ a: 1 }]);
    expect((await imported("claude-code", other)).said).toMatchObject({
      status: 2,
      err: expect.stringContaining("to be a log of Claude Code, found no message in it"),
    });
  });
});
