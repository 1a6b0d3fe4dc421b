/** Sessions that cannot be written to, whose figures are requested nevertheless. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SessionFolder } from "../../source/engine/session/session-folder.ts";
import { builtProgram } from "../built-program.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();
const text = (limit: number) =>
  `\`\`\`run main\nsuite: appbench\nmodel: builtin/oracle\nlimit: ${limit}\n\`\`\`\n\n\`\`\`analysis groups\npane: difficulty\n\`\`\`\n`;
const session = (limit = 3) => {
  mkdirSync(at("session"), { recursive: true });
  writeFileSync(at("session", "session.md"), text(limit));
};

/** Mounting needs rights that not every machine grants. */
const mounts = spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs none /mnt"]).status === 0;

/** Runs a command line while the session's folder is on a read-only medium. */
function typedReadOnly(...args: string[]) {
  const mount = `cp -r "$0/session" "$0/copy" && mount -t tmpfs none "$0/session" && cp -r "$0/copy/." "$0/session" && mount -o remount,ro "$0/session" && exec "$@"`;
  const node = [process.execPath, builtProgram()];
  const { status, stdout, stderr } = spawnSync("unshare", ["-rm", "sh", "-c", mount, at(), ...node, ...args], {
    encoding: "utf8",
    env: { ...process.env, PLANWRIGHT_CONFIG_DIR: at("settings") },
  });
  return { status, out: stdout, err: stderr };
}

describe.skipIf(!mounts)("a session on a read-only medium (needs rights to mount)", () => {
  test("has its finished figures printed, without a warning about writing", async () => {
    session();
    const { out } = await typed("run", at("session"));
    expect(typedReadOnly("run", at("session"))).toEqual({ status: 0, out, err: "" });
    expect(typedReadOnly(at("session"))).toEqual({ status: 0, out, err: "" });
  });

  test("has its current results printed if it is unfinished, with a report that nothing is executed", async () => {
    session();
    await typed("run", at("session"));
    session(5);
    const said = typedReadOnly(at("session"));
    expect(said).toMatchObject({ status: 1, out: expect.stringContaining("run main") });
    expect(said.err).toMatch(
      /^This folder cannot be written to \(EROFS: .*\); finished results are printed and nothing is executed\n$/,
    );
    expect(typedReadOnly("run", at("session"), "--rescore")).toMatchObject({ status: 2, out: "" });
  });

  test("can have its figures exported to another folder", async () => {
    session();
    await typed("run", at("session"));
    await typed("export", at("session"));
    const names = readdirSync(at("session", "exports"));
    const said = typedReadOnly("export", at("session"), "--out", at("out"));
    expect(said).toMatchObject({ status: 0, out: names.map((name) => `${at("out", name)}\n`).join(""), err: "" });
    for (const name of names)
      expect(readFileSync(at("out", name), "utf8")).toBe(readFileSync(at("session", "exports", name), "utf8"));
    const refused = typedReadOnly("export", at("session"));
    expect(refused).toMatchObject({ status: 2, out: "" });
    expect(refused.err).toMatch(/^planwright: .*(EROFS|read-only).*; choose another folder with `--out DIR`\n$/);
  });
});

describe("a session that is open elsewhere", () => {
  test("is printed if it is finished, otherwise the error names the program that holds the session", async () => {
    session();
    const { out } = await typed("run", at("session"));
    const elsewhere = new SessionFolder(at("session"));
    expect(elsewhere.lock()).toBeUndefined();
    expect(await typed(at("session"))).toMatchObject({ status: 0, out });
    session(5);
    const who = `planwright: Another Planwright (process ${process.pid}) has this session open\n`;
    expect(await typed(at("session"))).toEqual({ status: 2, out: "", err: who });
    expect(await typed("run", at("session"))).toEqual({ status: 2, out: "", err: who });
    elsewhere.unlock();
  });
});

describe("output that cannot be written", () => {
  test.skipIf(process.platform !== "linux")("ends the command with one error and status 1", () => {
    const args = [process.execPath, builtProgram(), "data", "list"];
    const { status, stderr } = spawnSync("sh", ["-c", 'exec "$0" "$@" > /dev/full', ...args], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "planwright: Could not write the output: the disk is full\n",
    });
  });
});
