/** `bundle.json`: the versions and data of a bundled notebook, and what a machine needs to execute it again. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { checksumOf } from "../../files/manifest.ts";
import { programIdentities } from "../../run/programs/program-identity.ts";
import { requireFormat } from "../../settings/format.ts";
import { namedModels } from "../../run-settings.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Suite } from "../../suite.ts";
import { agentOption } from "../../run/agents/agent-option.ts";
import { Problem } from "../../problem.ts";
import type { RunSpec } from "../../types.ts";

export const bundleFile = "bundle.json";

const dataSchema = z.looseObject({ suite: z.string(), files: z.record(z.string(), z.string()) });

const contentsSchema = z.looseObject({
  format: z.number().int().min(1),
  planwright: z.string(),
  name: z.string(),
  /** Endpoints by name, with the models that runs name; no addresses. */
  endpoints: z.record(z.string(), z.array(z.string())),
  /** Published data: SHA-256 by path. */
  data: z.array(dataSchema),
  /** Tool servers and agents by name, with their identities. */
  toolServers: z.record(z.string(), z.string()),
  agents: z.record(z.string(), z.string()),
  /** Absent: earlier versions knew none. */
  processes: z.record(z.string(), z.string()).optional(),
  /** Hashes of the user's own code by part, such as `strategy`. */
  code: z.record(z.string(), z.string()),
});

export type BundleContents = z.infer<typeof contentsSchema>;

type Sources = { readonly suites: readonly Suite[]; readonly settings: Settings };

/** Returns what runs of these specs need in addition to the notebook's own folder. */
export function needsOf(
  specs: readonly RunSpec[],
  sources: Sources,
): Omit<BundleContents, "format" | "planwright" | "name"> {
  const models = new Set(specs.flatMap(namedModels));
  const named = [...models].flatMap((name) => {
    const [endpoint, ...model] = name.split("/");
    return endpoint === "builtin" || model.length === 0 ? [] : [{ endpoint: endpoint!, model: model.join("/") }];
  });
  const grouped = Map.groupBy(named, ({ endpoint }) => endpoint);
  const published = new Set(specs.flatMap(({ suite, data }) => (data === "published" ? [suite] : [])));
  return {
    endpoints: Object.fromEntries([...grouped].map(([name, all]) => [name, all.map(({ model }) => model).toSorted()])),
    data: [...published].map((suite) => ({ suite, files: hashesOf(suite, sources) })),
    toolServers: Object.assign({}, ...specs.map(({ toolServers }) => toolServers ?? {})),
    agents: Object.fromEntries(
      specs.flatMap(({ agent, options }) =>
        agent === undefined ? [] : [[String(options[agentOption.name] ?? ""), agent]],
      ),
    ),
    processes: Object.fromEntries(
      specs.flatMap(({ suite, dataset = "" }) =>
        suite.startsWith("process/") ? [[suite.slice("process/".length), dataset]] : [],
      ),
    ),
    code: Object.assign({}, ...specs.map(({ code }) => code ?? {})),
  };
}

function hashesOf(name: string, { suites, settings }: Sources): Readonly<Record<string, string>> {
  const suite = suites.find((each) => each.name === name);
  const folder = settings.data[name];
  if (suite === undefined || folder === undefined) return {};
  const files = suite.data.files.flatMap(({ path }) => {
    const place = join(folder, path);
    return existsSync(place) ? [[path, checksumOf(place)] as const] : [];
  });
  return Object.fromEntries(files);
}

/**
 * Returns the contents of `bundle.json`. Throws `Problem` if a newer program wrote the file, or if it is not the file of a
 * bundle.
 */
export function readContents(text: string): BundleContents {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem("parse", `Expected ${bundleFile} to be JSON`);
  }
  requireFormat("bundle", bundleFile, value);
  const read = contentsSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Problem(
      "parse",
      `Expected ${bundleFile} to describe a bundle (${issue!.path.join(".")}): ${issue!.message}`,
    );
  }
  return read.data;
}

/**
 * Returns one line for each thing that this machine lacks to execute the notebook again; nothing of this is needed to read the
 * notebook.
 */
export function missingFor(contents: BundleContents, sources: Sources): readonly string[] {
  const { settings } = sources;
  const known = new Set(settings.endpoints.map(({ name }) => name));
  const endpoints = Object.entries(contents.endpoints)
    .filter(([name]) => !known.has(name))
    .map(([name, models]) => `endpoint \`${name}\` (${models.join(", ")}): planwright endpoint add ${name} URL`);
  const data = contents.data.flatMap(({ suite, files }) => dataMissing(suite, files, sources));
  const { toolServers, agents, processes } = programIdentities(settings);
  return [
    ...endpoints,
    ...data,
    ...programsMissing("tool server", "tools", contents.toolServers, toolServers),
    ...programsMissing("agent", "agents", contents.agents, agents),
    ...programsMissing("process", "processes", contents.processes ?? {}, processes),
  ];
}

function dataMissing(
  suite: string,
  files: BundleContents["data"][number]["files"],
  sources: Sources,
): readonly string[] {
  if (sources.settings.data[suite] === undefined) return [`data of ${suite}: planwright data add ${suite}`];
  const here = hashesOf(suite, sources);
  const other = Object.keys(files).filter((path) => here[path] !== files[path]);
  return other.length === 0
    ? []
    : [`data of ${suite}: the installed ${other.join(", ")} data differ from the data of the run`];
}

function programsMissing(
  what: string,
  command: string,
  named: Readonly<Record<string, string>>,
  known: ReadonlyMap<string, string>,
): readonly string[] {
  return Object.entries(named).flatMap(([name, identity]) => {
    const here = known.get(name);
    if (here === identity) return [];
    const how =
      here === undefined ? `planwright ${command} add ${name}` : "it is installed with another command or other code";
    return [`${what} \`${name}\`: ${how}`];
  });
}
