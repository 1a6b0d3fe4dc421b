import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

/** A Python with `xmlschema`, and the schema `junit-10.xsd`. */
const python = process.env["PLANWRIGHT_INSPECT"];
const schema = process.env["PLANWRIGHT_JUNIT_SCHEMA"];

/** A notebook with one run that is always right, and one that never is. */
function notebook(): string {
  mkdirSync(at("mine"));
  const run = (name: string, model: string) =>
    `\`\`\`run ${name}\nsuite: appbench\nlimit: 4\nmodel: ${model}\n\`\`\`\n`;
  writeFileSync(
    at("mine", "session.md"),
    `# "A" & <B>\n\n${run("best", "builtin/oracle")}\n${run("worst", "builtin/slips?app=1")}`,
  );
  return at("mine");
}

describe("planwright run --require", () => {
  test("ends with status 1 and reports the run below the bound, or ends with status 0 if all runs pass", async () => {
    const folder = notebook();
    const { status, err } = await typed("run", folder, "--require", "official.success>=0.8");
    expect(status).toBe(1);
    expect(err).toContain(
      "official.success>=0.8 (run worst (builtin/slips?app=1)): official.success is 0 (0.00 %), n 4\n",
    );
    expect(err).not.toContain("(run best");
    expect((await typed("run", folder, "--require", "success >= 0")).status).toBe(0);
    expect((await typed("run", folder, "--cells", "best", "--require", "official.success>=1")).status).toBe(0);
  });

  test("can apply to one cell, give a maximum, and occur several times", async () => {
    const folder = notebook();
    const asked = async (...texts: string[]) =>
      (await typed("run", folder, ...texts.flatMap((text) => ["--require", text]))).status;
    expect(await asked("best:official.success>=1", "worst:official.success<=0")).toBe(0);
    expect(await asked("best:official.success>=1", "worst:official.success>=0.01")).toBe(1);
    expect(await asked("best:official.success<=0.99")).toBe(1);
  });

  test("accepts the score of answers without their wrapping, even if no answer was wrapped", async () => {
    const folder = notebook();
    const { status, err } = await typed("run", folder, "--require", "unwrapped>=1");
    expect([status, err]).toEqual([1, expect.stringContaining("unwrapped is 0 (0.00 %), n 4")]);
    expect((await typed("run", folder, "--require", "best:unwrapped>=1")).status).toBe(0);
  });

  test.each([
    ["official.sucess>=0.8", "did you mean `official.success`?"],
    ["success=0.8", "Expected `--require METRIC>=NUMBER`"],
    ["success>=most", "Expected `--require METRIC>=NUMBER`"],
    ["success>=80", "a fraction from 0 to 1, got `80`"],
    ["other:success>=0.8", "name a run cell (best, worst), got `other`"],
  ])("rejects %s before anything runs", async (text, words) => {
    const folder = notebook();
    const { status, out, err } = await typed("run", folder, "--require", text);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain(words);
  });
});

test("planwright run --require without a run to check is rejected", async () => {
  const folder = notebook();
  expect(await typed("run", folder, "--cells", "best", "--require", "worst:success>=0")).toMatchObject({
    status: 2,
    err: expect.stringContaining("name a run cell (best), got `worst`"),
  });
  writeFileSync(at("mine", "session.md"), "# Nothing to run\n");
  expect(await typed("run", folder, "--require", "success>=0")).toMatchObject({
    status: 2,
    err: expect.stringContaining("Expected a run cell for `--require success>=0`, found none"),
  });
});

describe("planwright run --junit", () => {
  test("writes a test case for each task and requirement, and a failure for a failed requirement", async () => {
    const folder = notebook();
    const file = at("reports", "junit.xml");
    await typed("run", folder, "--require", "success>=0.8", "--junit", file);
    const text = readFileSync(file, "utf8");
    const times = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="&quot;A&quot; &amp; &lt;B&gt;"/);
    expect(text).toMatch(/<testsuites [^>]* tests="12" failures="1" errors="0" time="[\d.]+">/);
    expect(times(/<testcase [^>]*name="[a-z]+-\d+"/g)).toBe(8);
    expect(times(/<system-out>right, score 1<\/system-out>/g)).toBe(4);
    expect(times(/<system-out>wrong, score [\d.]+: [a-z-]+/g)).toBe(4);
    expect(text).toContain(
      '<testcase classname="run worst (builtin/slips?app=1)" name="success&gt;=0.8"><failure type="condition" message="official.success is 0 (0.00 %), n 4"/></testcase>',
    );
    expect(text).toContain('<testcase classname="run best (builtin/oracle)" name="success&gt;=0.8"/>');
    expect(text).toContain('<property name="wrong" value="4"/>');
  });

  test("writes a failed task and a cell with a mistake as errors", async () => {
    mkdirSync(at("broken"));
    const cell = "suite: appbench\nlimit: 2\nmodel: none-such/m\n";
    writeFileSync(
      at("broken", "session.md"),
      `\`\`\`run main\n${cell}\`\`\`\n\n\`\`\`analysis\npane: nothing\n\`\`\`\n`,
    );
    const file = at("junit.xml");
    expect((await typed("run", at("broken"), "--junit", file)).status).toBe(1);
    const text = readFileSync(file, "utf8");
    expect(text).toContain('name="mistake 1"><error type="cell" message="Expected `pane` to be one of');
    expect(text).toMatch(/name="whole run"[^>]*><error type="failed" message="[^"]*none-such/);
    expect(text).toMatch(/<testsuites [^>]* failures="0" errors="2"/);
  });

  test.skipIf(schema === undefined || python === undefined)(
    "matches the schema of Jenkins for every outcome of a test case",
    async () => {
      mkdirSync(at("all"));
      const run = (name: string, fields: string) => `\`\`\`run ${name}\nlimit: 2\n${fields}\`\`\`\n\n`;
      const cells = [
        run("right", "suite: appbench\nmodel: builtin/oracle\n"),
        run("wrong", "suite: appbench\nmodel: builtin/slips?app=1\n"),
        run("failed", "suite: appbench\nmodel: none-such/m\n"),
        run("unscored", "suite: ultratool\nsplit: en/planning\nmodel: builtin/oracle\n"),
        "```analysis\npane: nothing\n```\n",
      ];
      writeFileSync(at("all", "session.md"), `---\ndefaults: {data: sample}\n---\n\n# "A" & <B>\n\n${cells.join("")}`);
      await typed("run", at("all"), "--require", "wrong:success>=0.8", "--junit", at("all.xml"));
      const text = readFileSync(at("all.xml"), "utf8");
      for (const outcome of ["<failure", "<error", "<skipped", "<system-out>"]) expect(text).toContain(outcome);
      const script = fileURLToPath(new URL("validate_junit.py", import.meta.url));
      expect(execFileSync(python!, [script, schema!, at("all.xml")], { encoding: "utf8" })).toBe("");
    },
  );
});
