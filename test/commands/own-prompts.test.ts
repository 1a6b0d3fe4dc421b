/** Prompts compared from the command line: what is requested, what is requested again, and what the figures show. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

function notebook(text: string): string {
  mkdirSync(at("study"), { recursive: true });
  writeFileSync(at("study", "session.md"), text);
  return at("study");
}

const compared = (name: string) => `\`\`\`run main
suite: appbench
model: builtin/slips
data: sample
split: mm
limit: 4
prompts: {standard: {}, ${name}: {plan: careful.md}}
\`\`\`

\`\`\`analysis spread
pane: wordings
\`\`\`

\`\`\`analysis flips
pane: compare
before: {prompts: standard}
after: {prompts: ${name}}
\`\`\`
`;

type Printed = { readonly runs: readonly { readonly run: string; readonly label: string }[] };
const runsOf = (out: string) => (JSON.parse(out) as { readonly cells: readonly Printed[] }).cells[0]!.runs;

it("two prompts for AppBench's plan are compared and noted, and a new name causes no request", async () => {
  const study = notebook(compared("careful"));
  writeFileSync(at("study", "careful.md"), "Plan with care.\n\n{{apis}}{{reasoning}}\n");
  const first = await typed("run", study);
  expect(first.err + first.out).not.toContain("Expected");
  expect(first.out).toContain("careful: prompt replaced: plan");
  expect(first.out).toContain("+  Plan with care.");
  expect(first.out).toMatch(/spread over prompts beyond sampling/);
  expect(first.out).toContain("sampling is unknown (there is only one repeat)");
  const logs = () =>
    readdirSync(at("study", "runs")).map((run) => readFileSync(at("study", "runs", run, "events.jsonl"), "utf8"));
  const before = logs();
  expect(before).toHaveLength(2);
  notebook(compared("thorough"));
  const second = await typed("run", study);
  expect(second.out).toContain("thorough");
  expect(second.out).not.toContain("careful:");
  expect(logs()).toEqual(before);
});

it("one cell asks 20 questions in four variants", async () => {
  const study = notebook(`\`\`\`run matrix
suite: own
from: questions.csv
model: builtin/oracle
system: {plain: "", terse: Be brief.}
prompts: {asked: {}, polite: {answer: "Please answer: {{question}}"}}
\`\`\`
`);
  const lines = Array.from({ length: 20 }, (_, index) => `What is ${index} + 1?,${index + 1}`);
  writeFileSync(at("study", "questions.csv"), `question,answer\n${lines.join("\n")}\n`);
  const { status, out } = await typed("run", study, "--json");
  expect(status).toBe(0);
  expect(runsOf(out).map(({ label }) => label)).toEqual([
    "plain · asked",
    "plain · polite",
    "terse · asked",
    "terse · polite",
  ]);
});

it("planwright prompts --text prints the bare text of one prompt, for use in a file", async () => {
  const { out } = await typed("prompts", "appbench", "direct", "--json");
  const listed = JSON.parse(out) as readonly { readonly name: string; readonly text: string }[];
  for (const { name, text } of listed)
    expect(await typed("prompts", "appbench", "direct", "--stage", name, "--text")).toEqual({
      status: 0,
      out: `${text}\n`,
      err: "",
    });
  const all = await typed("prompts", "appbench", "--text");
  expect([all.status, all.err]).toEqual([
    2,
    expect.stringContaining("Expected `--text` with `--stage` of one prompt (apps,"),
  ]);
});
