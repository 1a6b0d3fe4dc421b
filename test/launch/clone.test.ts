import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** Copies the files of a clone that a build reads, without `dist` and without packages. */
function freshClone(): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-clone-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of [
    "source",
    "suites",
    "analyses",
    "build",
    "package.json",
    "rolldown.config.ts",
    "LICENSE",
    ".npmrc",
  ])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  return folder;
}

const packageOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly version: string;
    readonly scripts: object;
  };

/** Puts the packages into the clone by links and runs its own scripts, as `npm ci` does. */
function install(folder: string, run: (...args: readonly string[]) => unknown): void {
  const packages = join(root, "node_modules");
  mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
  const link = (name: string) => symlinkSync(join(packages, name), join(folder, "node_modules", name));
  for (const name of readdirSync(packages)) if (!name.startsWith(".")) link(name);
  for (const name of readdirSync(join(packages, ".bin"))) if (name !== "planwright") link(join(".bin", name));
  const { scripts } = packageOf(folder);
  for (const script of ["postinstall", "prepare", "postprepare"]) if (script in scripts) run("run", script);
}

test.skipIf(process.platform === "win32")(
  "`npx planwright` works in a clone after `npm ci`, even after an earlier try",
  () => {
    const folder = freshClone();
    // Commands of the checkout that runs this test are not those of the clone.
    const paths = (process.env["PATH"] ?? "")
      .split(delimiter)
      .filter((path) => !path.endsWith(join("node_modules", ".bin")));
    const PATH = paths.join(delimiter);
    const env = { ...process.env, PATH, npm_config_cache: join(folder, "cache"), npm_config_offline: "true" };
    const options = { cwd: folder, env, encoding: "utf8" } as const;
    const tried = spawnSync("npx", ["--yes", "--", "planwright", "--version"], options);
    expect(tried.status).not.toBe(0);
    install(folder, (...args) => execFileSync("npm", args, options));
    const { version } = packageOf(folder);
    const called = spawnSync("npx", ["--no", "--", "planwright", "--version"], options);
    expect(called).toMatchObject({ status: 0, stdout: expect.stringContaining(version) });
  },
);
