/** Reads the tasks of a data folder and binds them to its catalogue and profiles. */
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { anyJson, checkedRecord, checkedValue } from "../../../source/engine/text/checked-record.ts";
import {
  DataProblem,
  MissingFile,
  parseJsonLines,
  readJson,
  readText,
} from "../../../source/engine/text/json-lines.ts";
import type { Json } from "../../../source/engine/types.ts";
import { offerName, offerOf, type Catalogue, type Offer } from "./catalogue.ts";
import { derivedGold } from "./derived-gold.ts";
import { readCatalogue, profileOf, profilesFile, type Profile } from "./folder.ts";
import { ChainFile } from "./generator/chain-file.ts";
import { installing } from "./generated-folder.ts";
import { readGold } from "./gold.ts";
import { parseCall, writtenCall } from "./literal.ts";
import { levels, relations, scenarios, structures, type Gold, type TaskHead } from "./records.ts";
import { arenaTask, unwrapped, type ArenaTask } from "./task.ts";

/** Catalogue and people of one folder; generated tasks have their own catalogue and people. */
export type World = { readonly catalogue: Catalogue; readonly profiles: ReadonlyMap<string, Profile> };

/** Schema of the task fields that evaluation reads. */
export const headRecord = z.object({
  id: z.number(),
  operationalScenario: z.enum(["APP", "API"]),
  scenario: z.enum(scenarios),
  relation: z.enum(relations),
  structure: z.enum(structures).nullish(),
  level: z.enum(levels),
  userId: z.string().nullish(),
  query: z.string(),
});
const taskRecord = headRecord.extend({
  queryZh: z.string().nullish(),
  gold: anyJson.optional(),
  reference: z.array(anyJson),
});
const examplesFile = z.object({ tasks: z.array(anyJson) });

export async function readWorld(folder: string): Promise<World> {
  const file = join(folder, "profiles.json");
  const [catalogue, value] = await Promise.all([readCatalogue(folder), readJson(file)]);
  const { profiles } = checkedValue(profilesFile, value, ({ path, expected }) =>
    // JSON is also YAML, and the reader of chain files knows line numbers. Only invalid files are read a second time.
    new ChainFile(file, readFileSync(file, "utf8")).refuse(path, expected),
  );
  return { catalogue, profiles: new Map(profiles.map((record) => [record.id, profileOf(record)])) };
}

/** Reads the tasks of `tasks.jsonl`. Throws `DataProblem` with file and line. */
export async function readGenerated(folder: string): Promise<ArenaTask[]> {
  const file = join(folder, "tasks.jsonl");
  if (!existsSync(file)) throw new MissingFile(`Expected generated tasks in ${file}, found none; ${installing}`);
  const world = await readWorld(folder);
  return parseJsonLines(await readText(file), file).map(({ number, value }) =>
    readTask(value, world, () => `${file} line ${number}`),
  );
}

/** Reads the tasks of `example-tasks.json`, in the published layout. */
export async function readExamples(folder: string): Promise<ArenaTask[]> {
  const file = join(folder, "example-tasks.json");
  const [world, value] = await Promise.all([readWorld(folder), readJson(file)]);
  const { tasks } = checkedRecord(examplesFile, value, file);
  return tasks.map((task, index) => readTask(task, world, () => `\`tasks.${index}\` of ${file}`));
}

function readTask(value: Json, { catalogue, profiles }: World, where: () => string): ArenaTask {
  const record = checkedRecord(taskRecord, value, where);
  const head = headOf(record);
  const offer = offerOf(catalogue, offerName(head.relation, head.scenario));
  if (offer === undefined)
    throw new DataProblem(
      `Expected the catalogue to have the tools of \`${head.scenario}\` for ${where()}, found none`,
    );
  const profile = head.userId === null ? undefined : profiles.get(head.userId);
  if (head.userId !== null && profile === undefined)
    throw new DataProblem(`Expected \`userId\` in ${where()} to be the id of a profile, got \`${head.userId}\``);
  const key = record.gold;
  const steps = record.reference.filter((step) => field(step, "OrderSteps") !== undefined);
  const reference = key === undefined ? steps.map((step) => withoutUnknown(step, offer)) : steps;
  const gold =
    key === undefined ? derivedGold(head, reference, offer, profile) : readGold(key, () => `\`gold\` of ${where()}`);
  if (key !== undefined) checkTools(gold, offer, where);
  return arenaTask({ head, queryZh: record.queryZh ?? undefined, offer, profile }, { gold, reference });
}

/** Rejects a key for another catalogue, which would make every plan wrong. */
function checkTools({ subtasks, edges }: Gold, offer: Offer, where: () => string): void {
  const ids = new Set(subtasks.map(({ id }) => id));
  for (const { from, to } of edges)
    for (const id of [from, to])
      if (!ids.has(id))
        throw new DataProblem(
          `Expected both ends of each edge of \`gold\` in ${where()} to be ids of subtasks, got \`${id}\``,
        );
  for (const { tool, args = [] } of subtasks) {
    if (tool === undefined) continue;
    const api = offer.apis.get(tool);
    if (api === undefined)
      throw new DataProblem(`Expected the catalogue to have the tool \`${tool}\` of ${where()}, found none`);
    const unknown = args.find(({ name }) => api.parameters.every((parameter) => parameter.name !== name));
    if (unknown !== undefined)
      throw new DataProblem(
        `Expected \`${tool}\` in the catalogue to have the parameter \`${unknown.name}\` of ${where()}, found none`,
      );
  }
}

/** Removes parameters that the tool does not have; published references contain some. */
function withoutUnknown(record: Json, offer: Offer): Json {
  const order = field(record, "OrderSteps");
  const detail = field(order, "StepDetail");
  const action = field(detail, "Action");
  const call = typeof action === "string" ? parseCall(action) : undefined;
  const api = call === undefined ? undefined : offer.apis.get(call.tool);
  if (!isRecord(record) || !isRecord(order) || !isRecord(detail) || api === undefined) return record;
  const known = Object.entries(call!.args).filter(([name]) =>
    api.parameters.some((parameter) => parameter.name === name),
  );
  const Action = writtenCall(call!.tool, Object.fromEntries(known));
  return { ...record, OrderSteps: { ...order, StepDetail: { ...detail, Action } } };
}

/** Returns a task's head without the other fields of its record, and its query without the publisher's extra quotes. */
export function headOf(record: z.infer<typeof headRecord>): TaskHead {
  const { id, operationalScenario, scenario, relation, structure, level, userId, query } = record;
  return {
    id,
    operationalScenario,
    scenario,
    relation,
    structure: structure ?? null,
    level,
    userId: userId ?? null,
    query: unwrapped(query),
  };
}
