import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { programIdentities } from "../../source/engine/run/programs/program-identity.ts";
import { builtServer } from "../built-program.ts";
import { runsOf } from "../interchange/exported-session.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

const toyServer = pathToFileURL(builtServer("toy-server"));

/** Programs that record each of their starts in the given file. */
const programs = {
  "tool server": {
    script: `import "${toyServer.href}";\n`,
    add: ["tools", "add"],
    cell: "tools: [mine]\nstrategy: react\nmodel: builtin/oracle\n",
  },
  agent: {
    script: `import { appendFileSync } from "node:fs";
      appendFileSync(process.argv[2], "started\\n");
      process.stdin.once("data", () => console.log('{"type":"answer","answer":"6"}'));\n`,
    add: ["agents", "add"],
    cell: "strategy: agent\nagent: mine\nmodel: builtin/oracle\n",
  },
} as const;

describe.each(["tool server", "agent"] as const)("the id of a run that uses a program of kind %s", (kind) => {
  const { script, add, cell } = programs[kind];
  const starts = () => readFileSync(at("data.db"), "utf8").split("\n").length;

  test("stays the same while the program writes its data, and changes when the script changes", async () => {
    writeFileSync(at("program.mjs"), script);
    writeFileSync(at("data.db"), "");
    const command = [process.execPath, at("program.mjs"), at("data.db")];
    expect((await typed(...add, "mine", "--", ...command)).status).toBe(0);
    mkdirSync(at("s"));
    writeFileSync(at("s", "questions.csv"), "question,answer\nSix?,6\n");
    writeFileSync(at("s", "session.md"), `\`\`\`run main\nsuite: own\nfrom: questions.csv\n${cell}\`\`\`\n`);
    expect(await typed("run", at("s"), "--allow", "mine")).toMatchObject({ status: 0 });
    const before = starts();
    const [first] = await runsOf(at("s"));
    expect(first!.rows.map(({ score }) => score?.value)).toEqual([1]);
    expect(first!.warnings.join()).not.toContain("older code");
    expect(starts()).toBe(before);

    appendFileSync(at("program.mjs"), "// Changed.\n");
    const [second] = await runsOf(at("s"));
    expect(second!.run).not.toBe(first!.run);
    expect(starts()).toBeGreaterThan(before);
    expect(second!.warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(new RegExp(`^Results of older code do not count: ${kind} mine \\w{8}, started \\d{4}-`)),
      ]),
    );

    appendFileSync(at("program.mjs"), "// Again.\n");
    const kept = await typed("run", at("s"), "--keep-older", "Only a comment");
    expect(kept.err).toMatch(new RegExp(`^Results kept for .*: ${kind} mine \\w{8}, started `));
    expect((await runsOf(at("s"))).map(({ run }) => run)).toEqual([second!.run]);
  });
});

describe("the identity of a program with files among its arguments", () => {
  const identity = (...command: string[]) =>
    programIdentities({
      endpoints: [],
      data: {},
      agents: [{ name: "mine", command, folder: at(), seconds: 1, megabytes: 1 }],
    }).agents.get("mine");

  test.each([
    ["a script recognised by its file extension", "agent.py", "print(1)", "print(2)"],
    ["a script recognised by its first line", "agent", "#!/bin/sh\ntrue", "#!/bin/sh\nfalse"],
    ["a Linux program", "agent", "\u007fELF 1", "\u007fELF 2"],
  ])("depends on the content of %s", (_, name, before, after) => {
    writeFileSync(at(name), before);
    const first = identity("run", name);
    expect(identity("run", name)).toBe(first);
    writeFileSync(at(name), after);
    expect(identity("run", name)).not.toBe(first);
    writeFileSync(at(name), before);
    expect(identity("run", name)).toBe(first);
  });

  test.each(["notes.db", "memory.json", "list", "config.yaml"])("depends only on the name of %s", (name) => {
    writeFileSync(at(name), "one");
    chmodSync(at(name), 0o755);
    const first = identity("run", name);
    writeFileSync(at(name), "another");
    expect(identity("run", name)).toBe(first);
    expect(identity("run", `other-${name}`)).not.toBe(first);
  });
});
