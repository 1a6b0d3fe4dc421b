/** Distinguishes two builds of one version, for programs on different machines that must execute the same code. */
import { createHash, type Hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { programBytes, programFilesIn, startedFiles } from "../work/program-files.ts";
import { packageFolder } from "./package-folder.ts";
import { fallback } from "../work/fallback.ts";

/** Names the file of a build that contains the `sourcesHash` it was built from. */
export const builtFromFile = "sources.sha256";

let known: Promise<string> | undefined;

/**
 * Hashes the running program: the files of the build from which it was started. A program executed from its sources has the hash
 * of the build made of exactly these sources, or their own hash if there is no such build. Computed once, in some 30 ms.
 */
export function programHash(): Promise<string> {
  known ??= hashOfProgram();
  return known;
}

async function hashOfProgram(): Promise<string> {
  const started = startedFiles();
  if (started.length > 0) return hashOfBuild(started);
  const sources = sourcesHash(packageFolder());
  const build = join(packageFolder(), "dist");
  if (textOf(join(build, builtFromFile)) !== sources) return sources;
  return hashOfBuild(programFilesIn(build));
}

async function hashOfBuild(files: readonly URL[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) add(hash, basename(file.pathname), await programBytes(file));
  return hash.digest("hex");
}

/**
 * Hashes the sources of a build: the program's own code, and the versions of the packages in it. `folder` contains package.json.
 */
export function sourcesHash(folder: string): string {
  const hash = createHash("sha256");
  const code = ["source", "suites", "analyses", "build"].flatMap((name) => codeIn(join(folder, name)));
  const settings = ["package.json", "package-lock.json", "rolldown.config.ts"].map((name) => join(folder, name));
  for (const path of [...code, ...settings.filter(existsSync)]) add(hash, relative(folder, path), readFileSync(path));
  return hash.digest("hex");
}

function codeIn(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  return paths.toSorted().map((path) => join(folder, path));
}

/** Also hashes the length of each part, so that no two lists of files are the same bytes. */
function add(hash: Hash, name: string, content: Uint8Array): void {
  hash.update(`${name}\0${content.length}\0`).update(content);
}

const textOf = (path: string): string | undefined => fallback(() => readFileSync(path, "utf8").trim());
