/**
 * `npm run release -- VERSION --repository URL`: writes the version and the addresses into the package, names the newest part of the
 * changelog, commits, tags and packs. If anything is missing, prints all of it, changes nothing and ends with status 1.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** The newest part of the changelog: of no version yet, or of the one that is released. */
const newest = (version: string) => new RegExp(`^## (?:Unreleased|${version.replaceAll(".", "\\.")})\\n+(?=\\S)`, "m");

/** What the release is made of: the current texts of files, and whether the checkout has changes. */
export type Checkout = {
  readonly files: ReadonlyMap<"package.json" | "package-lock.json" | "CITATION.cff" | "CHANGELOG.md", string>;
  readonly isClean: boolean;
  readonly tags: readonly string[];
};

/** Returns what is missing for a release; empty if nothing is. */
export function missing({ files, isClean, tags }: Checkout, version: string, repository: string): readonly string[] {
  const before = versionIn(files.get("package.json")!);
  const changes = files.get("CHANGELOG.md")!;
  return [
    ...(/^\d+\.\d+\.\d+$/.test(version) ? [] : [`Expected a version such as 0.2.0, got \`${version}\``]),
    ...(compareVersions(version, before) >= 0 ? [] : [`Expected version ${before} or above, got \`${version}\``]),
    ...(/^https:\/\/[^\s/]+\/\S+$/.test(repository)
      ? []
      : [`Expected --repository with the address of the repository, https://..., got \`${repository}\``]),
    ...(newest(version).test(changes)
      ? []
      : [`Expected \`## ${version}\` or \`## Unreleased\` with changes below it in CHANGELOG.md`]),
    ...(changes.split("\n").length > 80 ? ["Expected at most 80 lines in CHANGELOG.md"] : []),
    ...(tags.includes(`v${version}`) ? [`Expected no tag v${version} yet`] : []),
    ...(isClean ? [] : ["Expected a checkout without changes that are not committed"]),
  ];
}

/** Returns the files of the release with its version, date (such as 2026-11-27) and addresses. */
export function released(files: Checkout["files"], version: string, repository: string, date: string) {
  const address = repository.replace(/\.git$/, "");
  const { description, license, ...rest } = JSON.parse(files.get("package.json")!) as Readonly<Record<string, unknown>>;
  const { name, version: _, ...others } = rest;
  const addresses = {
    repository: { type: "git", url: `git+${address}.git` },
    homepage: `${address}#readme`,
    bugs: `${address}/issues`,
  };
  const lock = JSON.parse(files.get("package-lock.json")!) as { packages: Record<string, { version: string }> };
  const locked = { ...lock, version, packages: { ...lock.packages, "": { ...lock.packages[""]!, version } } };
  const text = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const cited = files.get("CITATION.cff")!.replace(/^(date-released|repository-code): .*\n/gm, "");
  return new Map<string, string>([
    ["package.json", text({ name, version, description, license, ...others, ...addresses })],
    ["package-lock.json", text(locked)],
    [
      "CITATION.cff",
      cited.replace(/^version: .*$/m, `version: ${version}\ndate-released: ${date}\nrepository-code: ${address}`),
    ],
    ["CHANGELOG.md", files.get("CHANGELOG.md")!.replace(newest(version), `## ${version}\n\n`)],
  ]);
}

const versionIn = (packageText: string) => (JSON.parse(packageText) as { readonly version: string }).version;

function compareVersions(one: string, other: string): number {
  const [numbers, others] = [one, other].map((version) => version.split(".").map(Number));
  return numbers!.map((number, at) => number - others![at]!).find((difference) => difference !== 0) ?? 0;
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function release(): number {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { repository: { type: "string" } } });
  const [version = "", repository = ""] = [positionals[0], values.repository];
  const names = ["package.json", "package-lock.json", "CITATION.cff", "CHANGELOG.md"] as const;
  const files = new Map(names.map((name) => [name, readFileSync(name, "utf8")]));
  const isClean = run("git", "status", "--porcelain").trim() === "";
  const lacks = missing({ files, isClean, tags: run("git", "tag").split("\n") }, version, repository);
  if (lacks.length > 0) {
    process.stderr.write(`${lacks.join("\n")}\n`);
    return 1;
  }
  run("npm", "run", "-s", "check:types");
  run("npm", "run", "-s", "check:lint");
  run("npm", "run", "-s", "prose");
  const today = new Date().toISOString().slice(0, 10);
  for (const [name, text] of released(files, version, repository, today)) writeFileSync(name, text);
  try {
    process.stdout.write(run("npm", "pack"));
    run("git", "commit", "-qam", `release: version ${version}`);
    run("git", "tag", "-a", `v${version}`, "-m", `Version ${version}`);
  } catch (thrown) {
    for (const [name, text] of files) writeFileSync(name, text);
    throw thrown;
  }
  return 0;
}

if (import.meta.main) process.exitCode = release();
