/** A run cell replaces prompt texts: the text is part of the run's id, the file's name is not. */
import { describe, expect, it } from "vitest";
import { Problem } from "../../../source/engine/problem.ts";
import { storedRun } from "../../../source/engine/session/run-identity.ts";
import { type CellContext, planRunCell } from "../../../source/engine/session/run-cell.ts";
import { suites } from "../../../suites/index.ts";

const files: Readonly<Record<string, string>> = {
  "careful.md": "Plan with care.\n{{apis}}",
  "again.md": "Plan with care.\n{{apis}}",
  "wrong.md": "Plan.\n\n{{apis}}\n{{api}}",
  "strict.txt": "Be strict.",
};
const context: CellContext = {
  suites,
  defaultData: () => "sample",
  text(file) {
    const text = files[file];
    if (text === undefined) throw new Problem("parse", `Expected a file \`${file}\`, found none`);
    return text;
  },
};
const planned = (source: string) => planRunCell(source, context);
const oneOf = (source: string) => {
  const { runs, problems } = planned(source);
  expect(problems).toEqual([]);
  expect(runs).toHaveLength(1);
  return runs[0]!;
};
const appbench = (more = "") => `suite: appbench\nmodel: builtin/oracle\n${more}`;
const own = (more = "") => `suite: own\nmodel: lab/model\ncheck: judge\njudge: lab/judge\n${more}`;

describe("prompts of a run cell", () => {
  it("do not change the run's id unless the cell replaces a text", () => {
    const plain = oneOf(appbench());
    expect(plain.run).toBe("7637545970d2ec8b");
    expect(oneOf(appbench("prompts: {}")).run).toBe(plain.run);
  });

  it("change the id by their text, not by the file that contains it", () => {
    const careful = oneOf(appbench("prompts: {plan: careful.md}"));
    expect(careful.spec.prompts).toEqual({ plan: files["careful.md"] });
    expect(careful.run).not.toBe(oneOf(appbench()).run);
    expect(oneOf(appbench("prompts: {plan: again.md}")).run).toBe(careful.run);
    expect(oneOf(appbench('prompts: {plan: "Plan with care.\\n{{apis}}"}')).run).toBe(careful.run);
    expect(oneOf(appbench("prompts: {plan: Plan with care}")).run).not.toBe(careful.run);
  });

  it("do not change the run's id if a prompt is never sent, or equals the benchmark's own prompt", () => {
    const flat = "prompting: flat\n";
    expect(oneOf(appbench(`${flat}prompts: {apps: careful}`)).run).toBe(oneOf(appbench(flat)).run);
    const { text } = suites.find(({ name }) => name === "appbench")!.prompts!.find(({ name }) => name === "plan.user")!;
    expect(oneOf(appbench(`prompts: {plan.user: "${text}"}`)).run).toBe(oneOf(appbench()).run);
  });

  it("are part of a run if a model explains its toolkits, and of no other run", () => {
    const clustered = (more: string) => oneOf(`suite: toolbench\nmodel: builtin/oracle\n${more}`);
    const prompts = "prompts: {explain: Explain with care.}";
    const explained = "strategy: tool-planner\nclusters.explain: lab/model\n";
    expect(clustered(`${explained}${prompts}`).spec.prompts).toEqual({ explain: "Explain with care." });
    expect(clustered(`${explained}${prompts}`).run).not.toBe(clustered(explained).run);
    for (const other of [
      "strategy: tool-planner\n",
      "strategy: react\nclusters.explain: lab/model\n",
      "strategy: tool-planner\nclusters.describe: lab/model\n",
    ])
      expect(clustered(`${other}${prompts}`).run).toBe(clustered(other).run);
    expect(clustered(`strategy: react\ntoolkits: "on"\nclusters.explain: lab/model\n${prompts}`).spec.prompts).toEqual({
      explain: "Explain with care.",
    });
  });

  it("belong to the id of the scoring if a judge uses them", () => {
    const { options, strategies } = suites.find(({ name }) => name === "own")!;
    const [usual, strict] = [oneOf(own()), oneOf(own("prompts: {judge: strict.txt}"))];
    expect(strict.spec.prompts).toBeUndefined();
    expect(strict.spec.judgePrompts).toEqual({ judge: "Be strict." });
    const [one, other] = [usual, strict].map(({ spec }) => storedRun(spec, { options, strategies }).folder.split("."));
    expect(other![0]).toBe(one![0]);
    expect(other![1]).not.toBe(one![1]);
  });

  it("report a text without a known slot, and the line of an unknown slot", () => {
    expect(planned(appbench("prompts:\n  apps: pick\n  plan: wrong.md")).problems).toEqual([
      {
        line: 5,
        message: "Expected `prompts.plan` to have a slot such as `{{apis}}`, got `{{api}}` in line 4 of wrong.md",
      },
    ]);
  });

  it("are listed in the error about an unknown prompt, and a missing file is reported", () => {
    const of = (more: string) => planned(appbench(more)).problems.map(({ message }) => message);
    expect(of("prompts: {plam: careful.md}")).toEqual([
      "Expected `prompts` to name prompts such as `plan`, got `plam`",
    ]);
    expect(of("prompts: {plan: gone.md}")).toEqual(["Expected a file `gone.md`, found none"]);
    expect(of("prompts: {plan: 4}")).toEqual([
      "Expected `prompts.plan` to be a string or a file of the notebook, got `4`",
    ]);
    expect(of("prompts: careful.md")).toEqual([
      'Expected `prompts` to name prompts and their texts, got `"careful.md"`',
    ]);
  });
});

describe("a system message", () => {
  it("is an option of every benchmark, and does not change the run's id without a text", () => {
    const plain = oneOf(appbench());
    expect(oneOf(appbench('system: ""')).run).toBe(plain.run);
    expect(oneOf(appbench("system: strict.txt")).spec.options["system"]).toBe("Be strict.");
    expect(oneOf(appbench("system: Be strict.")).run).toBe(oneOf(appbench("system: strict.txt")).run);
  });

  it("keeps the run id that earlier versions gave to own questions with a system message", () => {
    expect(oneOf("suite: own\nmodel: lab/model\nsystem: Be brief.").run).toBe("b5ea5cba314a7213");
  });
});
