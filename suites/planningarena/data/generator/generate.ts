/** Generates a data folder of unseen tasks, each with a reference plan known by construction. */
import { DataProblem } from "../../../../source/engine/text/json-lines.ts";
import { makeFolder } from "../../../../source/engine/files/make-folder.ts";
import { writeWithManifest } from "../../../../source/engine/files/manifest.ts";
import { randomFrom, shuffled } from "../../../../source/engine/statistics/random.ts";
import { proportionalShares } from "../../../../source/engine/run/sampling.ts";
import { counted } from "../../../../source/engine/text/counted.ts";
import type { Json } from "../../../../source/engine/types.ts";
import { collapsed } from "../canonical.ts";
import { offerName, offerOf, type Catalogue } from "../catalogue.ts";
import { catalogueOf } from "../folder.ts";
import { refuseOtherFiles } from "../generated-folder.ts";
import { levels, relations, structures, type Relation } from "../records.ts";
import { draftApiTask } from "./api-task.ts";
import { draftAppTask } from "./app-task.ts";
import { apisFile, appsFile } from "./catalogue-files.ts";
import { chainsFolder, readChains, type Chains } from "./chains.ts";
import { taskRecord, type Order, type TaskRecord } from "./draft.ts";
import { makeProfiles, type MadeProfile } from "./profile-fields.ts";
import { publishedCounts } from "./sizes.ts";
import { taskProblems } from "./validate.ts";

/** Attempts per task before failing; reached only if the chains offer too little. */
const mostAttempts = 2000;

export type Generated = {
  readonly apps: Json;
  readonly apis: Json;
  readonly profiles: readonly MadeProfile[];
  readonly catalogue: Catalogue;
  readonly tasks: readonly TaskRecord[];
};

/** Milliseconds between two yields to the event loop, so that a screen stays responsive. */
const yieldEvery = 15;

/**
 * Generates `count` tasks in the proportions of the paper's Table 1; the validator accepts every one, and no two requests
 * are equal. The same seed and chains give the same tasks. Throws `DataProblem` if the chains do not suffice.
 */
export async function generateTasks(
  chains: Chains,
  { count, seed, report, signal }: Pick<GenerateRequest, "count" | "seed" | "report" | "signal">,
): Promise<Generated> {
  if (!Number.isInteger(count) || count < 1)
    throw new RangeError(`Expected \`count\` to be a whole number from 1, got \`${count}\``);
  if (!Number.isInteger(seed)) throw new RangeError(`Expected \`seed\` to be a whole number, got \`${seed}\``);
  const profiles = makeProfiles(chains.fields, seed);
  const apps = appsFile(chains);
  const apis = apisFile(chains);
  const catalogue = catalogueOf(apps, apis);
  const asked = new Set<string>();
  const tasks: TaskRecord[] = [];
  let since = performance.now();
  for (const order of ordersFor(chains, profiles, count, seed)) {
    const done = tasks.push(makeTask(chains, catalogue, order, seed, asked));
    if (done % 500 === 0) report(`${done} of ${counted(count, "task")}`);
    if (performance.now() - since < yieldEvery) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    since = performance.now();
  }
  return { apps, apis, profiles, catalogue, tasks };
}

function makeTask(chains: Chains, catalogue: Catalogue, order: Order, seed: number, asked: Set<string>): TaskRecord {
  const offer = offerOf(catalogue, offerName(order.relation, order.scenario))!;
  const random = randomFrom(`task ${seed} ${order.id}`);
  let problem = order.relation === "CAPI" ? "too few calls use each other's results" : "no attempt succeeded";
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const app = order.relation === "SAPP" || order.relation === "CAPP";
    const draft = (app ? draftAppTask : draftApiTask)({ chains, order, random });
    if (draft === undefined) continue;
    const titles = new Set(draft.steps.map(({ description }) => description));
    const request = collapsed(draft.query).toLowerCase();
    if (titles.size < draft.steps.length || asked.has(request) || asked.has(draft.queryZh)) continue;
    const task = taskRecord(order, draft);
    const problems = taskProblems(task, offer, order.user);
    if (problems.length === 0) {
      asked.add(request).add(draft.queryZh);
      return task;
    }
    problem = problems[0]!;
  }
  throw new DataProblem(
    `Expected the chains of ${order.scenario} to allow a ${order.level} task of ${order.structure ?? order.relation} (${problem})`,
  );
}

/** Decides which tasks to generate, in the order of the published numbering: users in sequence, relations in turn. */
function ordersFor(chains: Chains, profiles: readonly MadeProfile[], count: number, seed: number): Order[] {
  const cells = relations.flatMap((relation) =>
    levels.map((level) => ({ relation, level, all: publishedCounts[relation][level] })),
  );
  const shares = proportionalShares(
    cells.map(({ all }) => all),
    count,
  );
  const numbered = relations.flatMap((relation) => {
    const users = profiles.filter(({ group }) => (relation === "DAPI") === (group === "dag"));
    const scenarios = scenariosOf(chains, relation);
    const wanted = cells.flatMap((cell, index) =>
      cell.relation === relation ? Array.from({ length: shares[index]! }, () => cell) : [],
    );
    const random = randomFrom(`orders ${seed} ${relation}`);
    const first = Math.floor(random() * scenarios.length);
    const withScenario = wanted.map(({ level }, index) => ({
      relation,
      level,
      structure: relation === "DAPI" ? structures[index % structures.length]! : null,
      scenario: scenarios[(first + index) % scenarios.length]!,
    }));
    return shuffled(withScenario, random).map((cell, index) => ({
      ...cell,
      user: users[Math.floor((index * users.length) / wanted.length)]!,
    }));
  });
  const ranked = numbered.toSorted((a, b) => profiles.indexOf(a.user) - profiles.indexOf(b.user));
  return ranked.map((order, index) => ({ id: index + 1, ...order }));
}

const scenariosOf = (chains: Chains, relation: Relation): readonly string[] =>
  (relation === "SAPP" || relation === "CAPP" ? chains.apps : chains.apis).map(({ scenario }) => scenario).sort();

export type GenerateRequest = {
  readonly count: number;
  readonly seed: number;
  readonly out: string;
  /** Folder of chain files; default: the suite's own. */
  readonly chains?: string;
  report(line: string): void;
  readonly signal: AbortSignal;
};

/**
 * Writes a data folder: `tasks.jsonl`, `profiles.json`, `apps.json`, `apis.json`, and their manifest. The same seed
 * gives the same bytes.
 */
export async function generatePlanningArena(request: GenerateRequest): Promise<void> {
  refuseOtherFiles(request.out);
  const chains = await readChains(request.chains ?? chainsFolder());
  const { apps, apis, profiles, tasks } = await generateTasks(chains, request);
  makeFolder(request.out);
  const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;
  writeWithManifest(request.out, [
    ["apps.json", json(apps)],
    ["apis.json", json(apis)],
    ["profiles.json", json({ profiles })],
    ["tasks.jsonl", tasks.map((task) => `${JSON.stringify(task)}\n`).join("")],
  ]);
  request.report(
    `${counted(tasks.length, "task")}, ${counted(profiles.length, "profile")}, seed ${request.seed}, in ${request.out}`,
  );
  for (const relation of relations) {
    const own = tasks.filter((task) => task.relation === relation);
    const byLevel = levels.map((level) => `${own.filter((task) => task.level === level).length} ${level}`);
    request.report(`${relation}: ${own.length} (${byLevel.join(", ")})`);
  }
}
