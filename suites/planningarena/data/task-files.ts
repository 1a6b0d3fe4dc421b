/** The tasks of a data folder, bound to its catalogue and profiles. */
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DataProblem, parseJsonLines, readJson, readText } from "../../../source/engine/text/json-lines.ts";
import type { Json } from "../../../source/engine/types.ts";
import { offerName, offerOf } from "./catalogue.ts";
import type { Catalogue, Offer } from "./catalogue.ts";
import { derivedGold } from "./derived-gold.ts";
import { readCatalogue } from "./folder.ts";
import { ChainFile } from "./generator/chain-file.ts";
import { readGold } from "./gold.ts";
import { parseCall } from "./literal.ts";
import { readProfile } from "./profile.ts";
import type { Profile } from "./profile.ts";
import { levels, relations, scenarios, structures } from "./records.ts";
import type { TaskHead } from "./records.ts";
import { arenaTask, unwrapped } from "./task.ts";
import type { ArenaTask } from "./task.ts";
import { writtenCall } from "../ask/written-call.ts";

/** Catalogue and people of one folder: generated tasks have their own. */
export type World = { readonly catalogue: Catalogue; readonly profiles: ReadonlyMap<string, Profile> };

export async function readWorld(folder: string): Promise<World> {
  const file = join(folder, "profiles.json");
  const [catalogue, value] = await Promise.all([readCatalogue(folder), readJson(file)]);
  const list = field(value, "profiles");
  if (!Array.isArray(list)) throw new DataProblem(`Expected \`profiles\` of ${file} to be a list`);
  const profiles = (list as readonly Json[]).map((item, index) =>
    readProfile(item, (path, expected) => refuseAt(file, ["profiles", index, ...path], expected)),
  );
  return { catalogue, profiles: new Map(profiles.map((profile) => [profile.id, profile])) };
}

/** JSON is YAML too, and the reader of chain files knows lines. Only a file with a mistake is read a second time. */
function refuseAt(file: string, path: readonly (string | number)[], expected: string): never {
  return new ChainFile(file, readFileSync(file, "utf8")).refuse(path, expected);
}

/** The folder that holds the generated tasks belonging to a data folder: its `generated/`, else the folder itself. */
export function generatedFolder(folder: string): string {
  const inner = join(folder, "generated");
  return existsSync(join(inner, "tasks.jsonl")) ? inner : folder;
}

/** Tasks of `tasks.jsonl`. Throws `DataProblem` naming file and line. */
export async function readGenerated(folder: string): Promise<ArenaTask[]> {
  const file = join(folder, "tasks.jsonl");
  if (!existsSync(file))
    throw new DataProblem(
      `Expected generated tasks in ${file}, found none; make some with \`planwright generate planningarena --count 100 --seed 1 --out ${folder}\``,
    );
  const world = await readWorld(folder);
  return parseJsonLines(await readText(file), file).map(({ number, value }) =>
    readTask(value, world, `line ${number} of ${file}`),
  );
}

/** Tasks of `example-tasks.json`, the layout of the published ones. */
export async function readExamples(folder: string): Promise<ArenaTask[]> {
  const file = join(folder, "example-tasks.json");
  const [world, value] = await Promise.all([readWorld(folder), readJson(file)]);
  const list = field(value, "tasks");
  if (!Array.isArray(list)) throw new DataProblem(`Expected \`tasks\` of ${file} to be a list`);
  return (list as readonly Json[]).map((task, index) => readTask(task, world, `\`tasks[${index}]\` of ${file}`));
}

function readTask(value: Json, { catalogue, profiles }: World, where: string): ArenaTask {
  const head = readHead(value, where);
  const offer = offerOf(catalogue, offerName(head.relation, head.scenario));
  if (offer === undefined)
    throw new DataProblem(`Expected the tools of \`${head.scenario}\` for ${where} in the catalogue`);
  const profile = head.userId === null ? undefined : profiles.get(head.userId);
  if (head.userId !== null && profile === undefined)
    throw new DataProblem(`Expected \`userId\` of ${where} to be a profile, got \`${head.userId}\``);
  const written = field(value, "reference");
  if (!Array.isArray(written)) throw new DataProblem(`Expected \`reference\` of ${where} to be a list`);
  const key = field(value, "gold");
  const records = (written as readonly Json[]).filter((record) => field(record, "OrderSteps") !== undefined);
  const reference = key === undefined ? records.map((record) => withoutUnknown(record, offer)) : records;
  const gold = key === undefined ? derivedGold(head, reference, offer, profile) : readGold(key, where);
  const queryZh = field(value, "queryZh");
  return arenaTask(
    { head, queryZh: typeof queryZh === "string" ? queryZh : undefined, offer, profile },
    { gold, reference },
  );
}

/** Published references use parameters their tools do not have: the perfect plan does without. */
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

/** The fields of a task its evaluation reads. Throws `DataProblem` naming the field. */
export function readHead(value: Json, where: string): TaskHead {
  const oneOf = <Name extends string>(key: string, names: readonly Name[]): Name => {
    const found = field(value, key);
    if (names.includes(found as Name)) return found as Name;
    throw new DataProblem(
      `Expected \`${key}\` of ${where} to be one of ${names.join(", ")}, got \`${JSON.stringify(found)}\``,
    );
  };
  const id = field(value, "id");
  const query = field(value, "query");
  const userId = field(value, "userId") ?? null;
  if (typeof id !== "number")
    throw new DataProblem(`Expected \`id\` of ${where} to be a number, got \`${JSON.stringify(id)}\``);
  if (typeof query !== "string") throw new DataProblem(`Expected \`query\` of ${where} to be a text`);
  if (userId !== null && typeof userId !== "string")
    throw new DataProblem(`Expected \`userId\` of ${where} to be a text or null`);
  return {
    id,
    operationalScenario: oneOf("operationalScenario", ["APP", "API"]),
    scenario: oneOf("scenario", scenarios),
    relation: oneOf("relation", relations),
    structure: (field(value, "structure") ?? null) === null ? null : oneOf("structure", structures),
    level: oneOf("level", levels),
    userId,
    query: unwrapped(query),
  };
}
