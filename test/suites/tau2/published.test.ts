/** Prompts, tools and reference plans of the published data, compared with the official program's (see conformance.test.ts). */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { runBuiltin } from "../../../source/kit/builtin-run.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { RunSpec, ToolSpec } from "../../../source/engine/types.ts";
import { canonicalJson, type Value } from "../../../suites/tau2/environment/value.ts";
import type { ServiceTask } from "../../../suites/tau2/data/service-task.ts";
import { tau2 } from "../../../suites/tau2/index.ts";
import { openSuite } from "../../../suites/tau2/loaded-suite.ts";
import { bareSpec } from "../../bare-spec.ts";
import { sharedJson } from "../../shared.ts";

type Published = {
  readonly agentSystem: string;
  readonly agentTools: readonly string[];
  readonly agentSchemas: Readonly<Record<string, string>>;
  readonly userTools?: readonly string[];
  readonly userSchemas?: Readonly<Record<string, string>>;
  readonly userSystem: Readonly<Record<string, string>>;
};

const wheel = process.env["PLANWRIGHT_TAU2"];
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const schemaHashes = (tools: readonly ToolSpec[]) =>
  Object.fromEntries(
    tools.map((tool) => [tool.name, sha256(canonicalJson({ type: "function", function: tool } as unknown as Value))]),
  );
const opened = () => openSuite(tau2, { folder: wheel!, data: "published" });
const specFor = (split: string): RunSpec => ({ ...bareSpec("tau2"), split, options: {} });

async function tasksOf(loaded: LoadedSuite<ServiceTask, "conversation">, split: string) {
  return new Map((await loaded.tasks(split)).map((task) => [task.id, task]));
}

describe.skipIf(wheel === undefined)("tau2's published data (PLANWRIGHT_TAU2)", () => {
  it.each(["airline", "retail", "telecom"])("contain the official prompts and tools in %s", async (domain) => {
    const loaded = await opened();
    const tasks = await tasksOf(loaded, domain === "telecom" ? "telecom-full" : domain);
    const published = sharedJson<Readonly<Record<string, Published>>>("conformance", "tau2", "prompts.json")[domain]!;
    const { signal } = new AbortController();
    const users: Record<string, string> = {};
    for (const id of Object.keys(published.userSystem)) {
      const { sides } = await loaded.asks.conversation.open(tasks.get(id)!, specFor(domain), signal);
      users[id] = sha256(sides.user.opening[0]!.content).slice(0, 16);
      if (Object.keys(users).length > 1) continue;
      expect(sha256(sides.model.opening[0]!.content)).toBe(published.agentSystem);
      expect(sides.model.tools.map(({ name }) => name)).toEqual(published.agentTools);
      expect(schemaHashes(sides.model.tools)).toEqual(published.agentSchemas);
      expect(sides.user.tools.map(({ name }) => name)).toEqual(published.userTools ?? []);
      expect(schemaHashes(sides.user.tools)).toEqual(published.userSchemas ?? {});
    }
    expect(users).toEqual(published.userSystem);
  });

  it.each([
    ["airline", 50],
    ["retail", 114],
    ["telecom", 114],
    ["telecom-small", 20],
    ["airline-train", 30],
    ["retail-test", 40],
  ] as const)("contain a reference that solves every task of %s", async (split, count) => {
    const loaded = await opened();
    const [strategy] = tau2.strategies;
    const tasks = [...(await tasksOf(loaded, split)).values()];
    const passed: string[] = [];
    for (const task of tasks) {
      const { score } = await runBuiltin({ loaded, strategy: strategy!, spec: specFor(split), model: "oracle" }, task);
      if (score.value === 1) passed.push(task.id);
    }
    expect([tasks.length, passed.length]).toEqual([count, count]);
  });
});
