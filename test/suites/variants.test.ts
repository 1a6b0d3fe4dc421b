/** Variants in every benchmark that has them: changes of the first request, and perfect replies that stay right. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { suites } from "../../suites/index.ts";
import { cellNamed, runsOf, temporarySessions } from "../engine/workbench/temporary-session.ts";

const sessions = temporarySessions();

/** A cell of each benchmark whose tools are part of a text. */
const inTexts: readonly (readonly [name: string, cell: string])[] = [
  ["appbench", "suite: appbench\nsplit: mm\nprompting: flat\nmodel: builtin/oracle"],
  ["ultratool", "suite: ultratool\nsplit: en/tool_usage\nmodel: builtin/oracle"],
  [
    "planningarena with tools",
    "suite: planningarena\nfilter: {interface: API}\nmodel: builtin/oracle\nresponder: builtin/responder",
  ],
  [
    "planningarena with apps",
    "suite: planningarena\nfilter: {interface: APP}\nmodel: builtin/oracle\nresponder: builtin/responder",
  ],
];

const asked: readonly (readonly [name: string, cell: string])[] = [
  ...inTexts,
  ["toolbench", "suite: toolbench\nstrategy: react\nmodel: builtin/oracle"],
  ["apibench", "suite: apibench\nsplit: torchhub\nretrieve: 3\nmodel: builtin/oracle"],
  ["travelplanner", "suite: travelplanner\nsplit: train\nmodel: builtin/oracle"],
  ["own", "suite: own\nfrom: questions.csv\nmodel: builtin/oracle"],
];

async function open(cell: string) {
  const limited = `${cell}\n${cell.includes("from:") ? "" : "data: sample\n"}limit: 2\n`;
  const workbench = await sessions.open("", { suites });
  writeFileSync(join(sessions.path, "questions.csv"), "id,question,answer\na,What is 1 + 1?,2\nb,What is 2 + 1?,3\n");
  const first = async (more: string) => {
    const { task, prompt } = await workbench.firstRequest(limited + more);
    return { task, text: prompt.messages.map(({ content }) => content).join("\n") };
  };
  const scores = async (more: string) => {
    const id = workbench.insert("run", workbench.cells().at(-1)?.id, limited + more, "main");
    await workbench.run(id);
    const runs = runsOf(workbench, "main");
    expect(cellNamed(workbench, "main")).toBe(id);
    return runs.map(({ counts, status }) => [status, counts.right]);
  };
  return { first, scores };
}

/** The sorted characters of a text: equal for texts with the same characters in another order. */
const sorted = (text: string) => [...text].toSorted().join("");

describe.each(inTexts)("the tools in a variant of %s", (_, cell) => {
  it("are all shown in another order, and perfect replies are still right", async () => {
    const { first, scores } = await open(cell);
    const [own, two, three] = [
      await first(""),
      await first("vary: [{tools: 2}]\n"),
      await first("vary: [{tools: 3}]\n"),
    ];
    // Two orders of a few tools can be equal.
    expect(new Set([own.text, two.text, three.text]).size).toBeGreaterThan(1);
    expect(sorted(two.text)).toBe(sorted(own.text));
    expect(sorted(three.text)).toBe(sorted(own.text));
    const [standard, varied] = await scores("vary: {tools: 2}\n");
    expect(varied).toEqual(standard);
    expect(varied![0]).toBe("done");
  });
});

it("a paraphrase is rejected for a task whose requests do not show its question", async () => {
  const { first } = await open("suite: ultratool\nsplit: en/tool_selection\nmodel: builtin/oracle");
  const { task } = await first("");
  await expect(first(`vary: [{questions: ${JSON.stringify({ [task]: "What?" })}}]\n`)).rejects.toThrow(
    `Expected requests that show the question of task \`${task}\``,
  );
});

describe.each(asked)("the question in a variant of %s", (_, cell) => {
  it("is the paraphrase if the task has one", async () => {
    const { first } = await open(cell);
    const { task, text } = await first("");
    const words = "These are the words of a paraphrase.";
    const varied = await first(`vary: [{questions: ${JSON.stringify({ [task]: words })}}]\n`);
    expect(text).not.toContain(words);
    expect(varied.text).toContain(words);
  });
});
