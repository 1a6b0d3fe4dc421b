/** Variants of irrelevant details, from the command line: what is requested, what stays, and what the figure shows. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

function notebook(text: string, files: Readonly<Record<string, string>> = {}): string {
  mkdirSync(at("study"), { recursive: true });
  writeFileSync(at("study", "session.md"), text);
  for (const [name, content] of Object.entries(files)) writeFileSync(at("study", name), content);
  return at("study");
}

type Printed = {
  readonly runs: readonly { readonly run: string; readonly label: string; readonly score?: number }[];
};
const runsOf = (out: string) => (JSON.parse(out) as { readonly cells: readonly Printed[] }).cells[0]!.runs;

type Logged = {
  readonly type: string;
  readonly kind?: string;
  readonly tools?: readonly { readonly name: string }[];
  readonly task?: string;
  readonly call?: { readonly name: string };
  readonly score?: { readonly value: number; readonly errors: readonly unknown[] };
};
const eventsOf = (study: string, run: string): readonly Logged[] =>
  readFileSync(`${study}/runs/${run}/events.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Logged);

const acting = (more: string, name = "main") => `\`\`\`run ${name}
suite: toolbench
data: sample
strategy: react
model: builtin/slips
limit: 8
${more}\`\`\`
`;

it("vary offers ToolBench's functions in other orders and under other names, and scores the original names", async () => {
  const study = notebook(`${acting("vary: {tools: 3, names: 3}\n")}
\`\`\`analysis spread
pane: wordings
\`\`\`
`);
  const { status, out } = await typed("run", study, "--json");
  expect(status).toBe(0);
  const runs = runsOf(out);
  expect(runs.map(({ label }) => label)).toEqual(["standard", "tools 2", "tools 3", "names 2", "names 3"]);
  const [standard, tools, , names] = runs.map(({ run }) => eventsOf(study, run));
  const offered = (events: readonly Logged[]) =>
    events.filter(({ type }) => type === "prompt").map((event) => event.tools?.map(({ name }) => name) ?? []);
  const lists = (events: readonly Logged[]) => new Set(offered(events).map((each) => each.join(" ")));
  const sets = (events: readonly Logged[]) => new Set(offered(events).map((each) => each.toSorted().join(" ")));
  expect(sets(tools!)).toEqual(sets(standard!));
  expect(lists(tools!)).not.toEqual(lists(standard!));
  const calls = (events: readonly Logged[]) => events.flatMap(({ call }) => call?.name ?? []);
  // The oracle makes the same calls whatever their names.
  expect(calls(names!)).toEqual(calls(standard!));
  const own = new Set(offered(standard!).flat());
  const strange = offered(names!)
    .flat()
    .filter((name) => name !== "Finish" && own.has(name));
  expect(strange).toEqual([]);
  expect(names!.filter(({ kind }) => kind === "renamed").length).toBeGreaterThan(0);
  const shown = await typed("run", study);
  expect(shown.out).toContain("order of tools");
  expect(shown.out).toContain("names of tools");
  expect(shown.out).toMatch(/names 2; names 3: varied: names of tools/);
});

it("vary finds the same mistakes and causes under other names", async () => {
  const study = notebook(
    acting("vary: {names: 3}\n").replace("builtin/slips", "builtin/slips?rate=1").replace("limit: 8", "split: all"),
  );
  const { out } = await typed("run", study, "--json");
  const found = runsOf(out).map(({ run }) =>
    eventsOf(study, run)
      .flatMap(({ task, score }) => (score === undefined ? [] : [{ task, value: score.value, errors: score.errors }]))
      .toSorted((one, other) => (one.task! < other.task! ? -1 : 1)),
  );
  const [standard, second, third] = found;
  expect(standard!.filter(({ errors }) => errors.length > 0).length).toBeGreaterThan(3);
  expect(second).toEqual(standard);
  expect(third).toEqual(standard);
  const rows = runsOf(out).map(({ run }) => readFileSync(`${study}/runs/${run}/rows.jsonl`, "utf8"));
  expect(rows.join()).not.toContain("unknown-tool");
});

it("vary sends no request for a variant that equals an earlier run", async () => {
  const study = notebook(acting(""));
  await typed("run", study);
  const [plain] = readdirSync(at("study", "runs"));
  const before = readFileSync(at("study", "runs", plain!, "events.jsonl"), "utf8");
  notebook(acting("vary: {tools: 2}\n"));
  const { out } = await typed("run", study, "--json");
  expect(runsOf(out)[0]!.run).toBe(plain);
  expect(readFileSync(at("study", "runs", plain!, "events.jsonl"), "utf8")).toBe(before);
  expect(readdirSync(at("study", "runs"))).toHaveLength(2);
});

const questions = `id,question,answer
1,"Which is a capital?
A) Lyon
B) Rome
C) Turin
D) Milan",B
2,"Which is even?
A) 3
B) 5
C) 8
D) 9",C
`;

it("vary changes the order of answer options together with the key, and reads paraphrases from a file", async () => {
  const study = notebook(
    `\`\`\`run main
suite: own
from: questions.csv
model: builtin/oracle
vary: {options: 4, questions: paraphrases.csv}
\`\`\`
`,
    {
      "questions.csv": questions,
      "paraphrases.csv":
        "id,question\n1,Name a capital: A) Lyon B) Rome\n2,Name an even number\n1,Once more\n2,And again\n",
    },
  );
  const { out, status } = await typed("run", study, "--json");
  expect(status).toBe(0);
  const runs = runsOf(out);
  expect(runs.map(({ label }) => label)).toEqual([
    "standard",
    "options 2",
    "options 3",
    "options 4",
    "paraphrase 1",
    "paraphrase 2",
  ]);
  const replies = runs.map(({ run }) =>
    readFileSync(`${study}/runs/${run}/events.jsonl`, "utf8")
      .split("\n")
      .filter((line) => line.includes('"type":"text"'))
      .map((line) => (JSON.parse(line) as { readonly text: string }).text)
      .join(""),
  );
  expect(new Set(replies.slice(0, 4)).size).toBeGreaterThan(1);
  expect(out).not.toContain('"value":0');
});
