/** `planwright data`: installs published data sets from a local copy or from the publisher, and checks each file. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { copyFolder } from "../../engine/files/replace-folder.ts";
import { mustStayIn } from "../../engine/files/inside.ts";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { hasManifest, manifestFile, manifestProblem } from "../../engine/files/manifest.ts";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { openSettings, SettingsProblem, type SettingsStore } from "../../engine/settings/settings.ts";
import type { DataFile, Suite } from "../../engine/suite.ts";
import { counted } from "../../engine/text/counted.ts";
import { beside, installData, installFolder, mendInstalled } from "../../engine/workbench/document/installed-data.ts";
import { addOwnData, ownDataOf, removeOwnData } from "./own-data.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command, CommandContext } from "../shell/command.ts";
import { isArchive, type Wanted, withUnpacked } from "./data-archive.ts";
import { userSettings } from "../shell/user-settings.ts";
import { fallback } from "../../engine/work/fallback.ts";
import { parseJson } from "../../engine/text/json-record.ts";

const flags: Flags = { from: "folder", own: "text" };

export const dataCommand: Command = {
  name: "data",
  summary: "install, list or remove published data sets",
  usage: `planwright data list
planwright data add SUITE [DIR|ARCHIVE]
planwright data remove SUITE
planwright data add SUITE --own NAME DIR
planwright data remove SUITE --own NAME

add installs the published data of a suite from a local copy (DIR or --from DIR: a folder, or an archive such as zip,
a Python wheel, tar or tar.gz), or from the publisher if no copy is given.

--own  tasks of your own in the layout of the suite's published data (or of its sample); only their form is checked, not their
       number. A run cell uses them with \`data: NAME\``,
  takes: [{ words: ["list", "add", "remove"] }, "suite"],
  flags,
  async run(args, context) {
    const { positionals, text } = readArguments(args, flags);
    const [verb, name, place, ...more] = positionals;
    if (verb === "list" && name === undefined) return list(context);
    const suite = context.suites.find((each) => each.name === name);
    const isTwice = place !== undefined && (verb !== "add" || text("from") !== undefined);
    if ((verb !== "add" && verb !== "remove") || more.length > 0 || isTwice)
      throw new ArgumentProblem(`Expected list, add or remove, got \`${positionals.join(" ")}\``);
    if (suite === undefined)
      throw new ArgumentProblem(
        `Expected a suite (${context.suites.map((each) => each.name).join(", ")}), got \`${name ?? "none"}\``,
      );
    const [own, from] = [text("own"), place ?? text("from")];
    if (own !== undefined)
      return verb === "remove" ? removeOwnData(suite, own, context) : addOwnData(suite, own, from, context);
    return verb === "remove" ? remove(suite, context) : add(suite, from, context);
  },
};

async function list(context: CommandContext): Promise<number> {
  const { suites, stdout } = context;
  const settings = (await userSettings(context)).read();
  const { data } = settings;
  for (const { name, title, licence, data: published, identity } of suites) {
    const none = identity === undefined ? "not installed; runs use the sample" : "tasks are included";
    stdout(`${name}: ${title}\n  ${data[name] ?? none}\n  from ${published.source}\n  ${licence}\n`);
    for (const [own, folder] of Object.entries(ownDataOf(settings, name)))
      stdout(`  your own data \`${own}\`: ${folder}\n`);
  }
  return 0;
}

async function remove(suite: Suite, context: CommandContext): Promise<number> {
  const settings = await userSettings(context);
  await mendInstalled([suite], settings);
  const folder = settings.read().data[suite.name];
  if (folder === undefined) throw new ArgumentProblem(`The published data of \`${suite.name}\` is not installed`);
  settings.change((before) => ({
    ...before,
    data: Object.fromEntries(Object.entries(before.data).filter(([name]) => name !== suite.name)),
  }));
  // Deletes only files that this command installed.
  if (folder === installFolder(settings.path, suite.name)) empty(folder, suite);
  context.stdout(`Removed the published data of ${suite.title}\n`);
  return 0;
}

/** Deletes a folder, except for files the user put into it. */
function empty(folder: string, { data: { kept = [] } }: Suite): void {
  const entries = existsSync(folder) ? readdirSync(folder) : [];
  if (!entries.some((entry) => kept.includes(entry))) return rmSync(folder, { recursive: true, force: true });
  for (const entry of entries) if (!kept.includes(entry)) rmSync(join(folder, entry), { recursive: true, force: true });
}

async function add(suite: Suite, given: string | undefined, context: CommandContext): Promise<number> {
  const settings = await openSettings();
  // Without a settings folder there is no place where a later start would find data.
  if (settings.path === "") throw new SettingsProblem(settings.problem ?? "Settings cannot be saved");
  const from = given === undefined ? undefined : resolve(given);
  if (from !== undefined && !existsSync(from))
    throw new ArgumentProblem(`Expected a folder or an archive with the data, found nothing at ${from}`);
  if (from === undefined || !isArchive(from))
    return install(suite, from && innerFolder(suite, from), settings, context, from);
  return withUnpacked(from, wantedOf(suite), (folder) => install(suite, folder, settings, context, from));
}

/** `archive`: the unpacked archive, for messages. */
async function install(
  suite: Suite,
  from: string | undefined,
  settings: SettingsStore,
  context: CommandContext,
  archive = from,
): Promise<number> {
  const generated = from !== undefined && suite.isGenerated?.(from) === true;
  if (from !== undefined && suite.generate !== undefined) await checkGenerated(suite, from, generated, context);
  const target = installFolder(settings.path, suite.name);
  const { left } = await installData(suite, target, generated, (staging) =>
    bring(suite, from, staging, context, archive),
  );
  settings.change((before) => ({ ...before, data: { ...before.data, [suite.name]: target } }));
  if (left !== undefined) context.stderr(`The previous data could not be deleted; delete ${left} yourself\n`);
  context.stdout(
    `Installed ${suite.title}: ${counted(readdirSync(target).length, "item")} in ${target}\n${suite.licence}\n`,
  );
  return 0;
}

/** Fills `staging` with the data, from a folder or from the publisher. */
async function bring(
  suite: Suite,
  from: string | undefined,
  staging: string,
  context: CommandContext,
  archive = from,
): Promise<void> {
  const missing: string[] = [];
  for (const file of suite.data.files) {
    const problem =
      from === undefined ? await fetchFile(file, staging, context) : copyFile(file, from, staging, archive);
    if (problem === undefined) continue;
    (file.optional === true ? context.stderr : (line: string) => missing.push(line))(
      `${problem}${file.needed === undefined ? "" : ` (needed for ${file.needed})`}\n`,
    );
  }
  if (missing.length > 0)
    throw new ArgumentProblem(
      `The data of ${suite.title} are incomplete:\n${missing.map((line) => `  ${line}`).join("")}Nothing was installed.`,
    );
  if (from === undefined) return;
  await suite.build?.(from, staging, (line) => context.stderr(`${line}\n`), context.signal);
  const inner = join(from, beside);
  const generated = suite.isGenerated?.(inner) === true;
  if (suite.generate !== undefined) await checkGenerated(suite, inner, generated, context);
  if (generated) copyFolder(inner, join(staging, beside), from);
}

/**
 * Checks tasks against their manifest. Tasks without a manifest (version 0.1.0) are only read, so missing tasks are not detected.
 */
async function checkGenerated(
  suite: Suite,
  folder: string,
  generated: boolean,
  { stderr, signal }: CommandContext,
): Promise<void> {
  const problem = manifestProblem(folder);
  if (problem !== undefined) throw new ArgumentProblem(`${problem}\nGenerate the tasks again. Nothing was installed.`);
  if (!generated || hasManifest(folder)) return;
  stderr(`${folder} has no ${manifestFile}: missing tasks cannot be detected\n`);
  const loaded = await suite.open({ folder, data: "published", signal });
  await loaded.tasks(suite.splits[0]!.name).finally(() => loaded.close?.());
}

const wantedOf = ({ data: { files, folders = [] } }: Suite): Wanted => ({
  files: files.flatMap(({ path, places = [] }) => [path, ...places]),
  folders,
});

/** Returns the only subfolder if it contains files of the suite and the folder itself does not. */
function innerFolder(suite: Suite, from: string): string {
  const { files, folders } = wantedOf(suite);
  const has = (folder: string) => [...files, ...folders].some((each) => existsSync(join(folder, each)));
  if (has(from) || !existsSync(from)) return from;
  const [folder, ...others] = readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const inner = folder && join(from, folder.name);
  return inner !== undefined && others.length === 0 && has(inner) ? inner : from;
}

function copyFile(file: DataFile, from: string, to: string, archive = from): string | undefined {
  const places = [file.path, ...(file.places ?? [])].map((path) => join(from, path));
  const source = places.find((path) => existsSync(path));
  if (source === undefined) return `${file.path}: not found in ${archive}`;
  mustStayIn(from, source);
  const read = readFileSync(source);
  const isPacked = source.endsWith(".gz") && !file.path.endsWith(".gz");
  const bytes = isPacked ? unpacked(read) : read;
  return bytes === undefined ? `${file.path}: expected ${source} to be a complete gzip file` : keep(file, bytes, to);
}

async function fetchFile(file: DataFile, to: string, { signal, stderr }: CommandContext): Promise<string | undefined> {
  if (file.url === undefined)
    return `${file.path}: the publisher does not offer this file by itself; use \`--from DIR\` with a copy`;
  stderr(`Fetching ${file.url}\n`);
  try {
    const response = await fetch(file.url, { signal });
    if (!response.ok) return `${file.path}: ${file.url} replied with status ${response.status}`;
    return keep(file, Buffer.from(await response.arrayBuffer()), to);
  } catch (error) {
    return `${file.path}: ${file.url} could not be fetched (${(error as Error).message})`;
  }
}

/** Writes a file if its bytes are the expected bytes; otherwise returns the difference. */
function keep(file: DataFile, bytes: Buffer, folder: string): string | undefined {
  const problem = checkFile(file, bytes);
  if (problem !== undefined) return problem;
  const path = join(folder, file.path);
  makeFolder(dirname(path));
  replaceFile(path, bytes);
  return undefined;
}

const unpacked = (bytes: Buffer): Buffer | undefined => fallback(() => gunzipSync(bytes));

/** Describes what is wrong with a file: first the number of records if it is known, then the hash. */
function checkFile(file: DataFile, bytes: Buffer): string | undefined {
  const hashes = [file.sha256 ?? []].flat();
  if (hashes.length > 0 && hashes.includes(createHash("sha256").update(bytes).digest("hex"))) return undefined;
  const found = file.count === undefined ? undefined : countRecords(file.path, bytes);
  if (file.count !== undefined && found !== file.count) {
    return `${file.path}: expected ${file.count} ${file.of ?? "records"}, got ${found ?? "a file that cannot be read (truncated?)"}`;
  }
  const [published] = hashes;
  if (published === undefined) return undefined;
  return `${file.path}: the file differs from the published one (its SHA-256 is not ${published.slice(0, 12)}...)`;
}

function countRecords(path: string, bytes: Buffer): number | undefined {
  try {
    const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (path.includes(".jsonl")) return lines.length;
    // Some publishers name JSON Lines files `.json`.
    if (lines.length > 1 && lines.every(isJson)) return lines.length;
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? value.length : Object.keys(value as object).length;
  } catch {
    return undefined;
  }
}

const isJson = (line: string): boolean => parseJson(line) !== undefined;
