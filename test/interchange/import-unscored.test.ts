import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import type { PublicRow as Row } from "../../source/engine/log/rows/row-notes.ts";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { runsOf } from "./exported-session.ts";

const at = temporaryFolder();

describe("an imported run that its suite cannot score on this machine", () => {
  /** A run on the user's own data, exported as JSON. */
  async function exported(): Promise<string> {
    cpSync(sampleFolder("appbench"), at("data"), { recursive: true });
    expect((await typed("data", "add", "appbench", "--own", "mine", "--from", at("data"))).status).toBe(0);
    mkdirSync(at("s"));
    const cell = "suite: appbench\ndata: mine\nmodel: builtin/oracle\nlimit: 2\n";
    writeFileSync(at("s", "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
    expect((await typed("run", at("s"))).status).toBe(0);
    await typed("export", at("s"), "--format", "inspect");
    return at(
      "s",
      "exports",
      readdirSync(at("s", "exports")).find((each) => each.endsWith(".json"))!,
    );
  }
  const edited = (file: string, from: string, to: string) => {
    const text = readFileSync(file, "utf8");
    expect(text).toContain(from);
    writeFileSync(file, text.replaceAll(from, to));
  };

  test.each<[string, (file: string) => void, string]>([
    [
      "its data are missing",
      () => rmSync(at("settings"), { recursive: true }),
      "The data of the run (own/mine) are not installed for `appbench`: install them with `planwright data add`, then import the run again",
    ],
    [
      "the installed data differ",
      (file) => edited(file, '"dataset":"', '"dataset":"0'),
      "The installed data of `appbench` (own/mine) differ from the data of the run",
    ],
    [
      "the suite does not have its strategy",
      (file) => edited(file, '"strategy":"direct"', '"strategy":"vote"'),
      'got `"vote"`',
    ],
    ["its suite is unknown", (file) => edited(file, '"suite":"appbench"', '"suite":"sums"'), "no suite `sums` here"],
    ["the suite does not have its tasks", (file) => edited(file, '"id":"', '"id":"un'), "Expected tasks of `appbench`"],
  ])("is imported for reading, with a message, because %s", async (_, change, why) => {
    const file = await exported();
    const [before] = await runsOf(at("s"));
    change(file);
    const { status, err } = await typed("import", "inspect", file, "--into", at("back"));
    expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining("Imported without a score: ") });
    expect(err).toContain(why);
    const [run, ...more] = await runsOf(at("back"));
    expect(more).toEqual([]);
    const document = readFileSync(at("back", "session.md"), "utf8");
    expect(document).toContain(`# ${err.slice("Imported without a score: ".length)}`);
    expect(document).toContain("check: none");
    const told = ({ question, calls, tokens }: Row) => ({ question, calls, tokens });
    expect(run!.rows.map(told)).toEqual(before!.rows.map(told));
    expect(run!.rows.map(({ state, score }) => [state, score?.value])).toEqual(
      before!.rows.map(() => ["scored", undefined]),
    );
  });

  test("is rejected by a suite that the user requests, and nothing is imported", async () => {
    const file = await exported();
    edited(file, '"id":"', '"id":"un');
    const said = await typed("import", "inspect", file, "--into", at("back"), "--suite", "appbench");
    expect(said).toMatchObject({ status: 2, err: expect.stringContaining("Expected tasks of `appbench`") });
    expect(readFileSync(at("back", "session.md"), "utf8")).not.toContain("```run");
  });
});
