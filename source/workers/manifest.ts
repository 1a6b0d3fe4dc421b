/** The manifest describes a round. The coordinator writes it to Redis; each worker reads it to decide whether to take part. */
import { z } from "zod";
import { specSchema } from "../engine/log/file/event-schema.ts";
import type { MadeToolkits } from "../engine/loaded-suite.ts";
import { Problem } from "../engine/problem.ts";
import { programHash } from "../engine/settings/program-hash.ts";
import { packageVersion } from "../engine/settings/package-folder.ts";
import { checkedValue, recordOf } from "../engine/text/checked-record.ts";
import type { Price, RunSpec } from "../engine/types.ts";

/** A run in the form that workers receive. */
export type Manifest = {
  readonly run: string;
  readonly spec: RunSpec;
  /** Version of the program that started the round. Workers of another version refuse. */
  readonly version: string;
  /**
   * The value of `programHash`; workers of another build of the same version refuse as well. Absent in manifests of older
   * builds.
   */
  readonly program?: string;
  /** Number of tasks in the round. Absent in manifests of older builds. */
  readonly tasks?: number;
  /** True if each worker caches replies and reuses its own replies for equal requests. */
  readonly cache: boolean;
  /** Known prices by model name, from the coordinator, so that cost limits use the same prices everywhere. */
  readonly prices: Readonly<Record<string, Price>>;
  /** Toolkits shared by the tasks, made by the coordinator so that workers do not make them again. */
  readonly toolkits: MadeToolkits;
  /** The names of the user's own files of code, for messages. Absent if there are none, and in manifests of older builds. */
  readonly codeFiles?: readonly string[];
};

const count = z.int().min(0);
const amount = z.number().min(0);
const price = z.looseObject({
  input: amount,
  output: amount,
  cached: amount.optional(),
  reasoning: amount.optional(),
});
const grouping = z.looseObject({
  labels: z.array(z.number()),
  descriptions: z.array(z.looseObject({ id: z.number(), description: z.string() })),
  metrics: recordOf(z.number()),
});
const manifest = z.looseObject({
  run: z.string(),
  spec: specSchema,
  version: z.string(),
  program: z.string().optional(),
  tasks: count.optional(),
  cache: z.boolean(),
  prices: recordOf(price),
  toolkits: recordOf(grouping),
  codeFiles: z.array(z.string()).optional(),
});

/** Parses a manifest, which anyone with access to Redis may have written. Throws `Problem` naming the first invalid field. */
export function readManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem("parse", "Expected the round's manifest to be JSON, got something else");
  }
  checkedValue<unknown>(manifest, value, ({ path, expected, got }) => {
    const field = path.length === 0 ? "the round's manifest" : `\`${path.join(".")}\` in the round's manifest`;
    throw new Problem("parse", `Expected ${field} to be ${expected}, got \`${got}\``);
  });
  return value as Manifest;
}

/** Returns why this program must not execute a round's tasks, if it is another version or another build; undefined otherwise. */
export async function otherProgram({ version, program }: Manifest): Promise<string | undefined> {
  const own = await programHash();
  if (version === packageVersion() && program === own) return undefined;
  return `the worker is Planwright ${programText(packageVersion(), own)}, but the run needs ${programText(version, program)}`;
}

/** Digits shown of a hash. */
const shownDigits = 12;

const programText = (version: string, program: string | undefined): string =>
  `${version} (${program === undefined ? "an unnamed build" : `build ${program.slice(0, shownDigits)}`})`;
