import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, test } from "vitest";
import { SessionFolder } from "../../source/engine/session/session-folder.ts";
import type { RunSpec } from "../../source/engine/types.ts";
import { exportFormats, type RunState } from "../../source/engine/workbench/workbench.ts";
import { planDimensions } from "../../suites/ultratool/score/dimensions.ts";
import { delta, event, says, scriptedServer, stream } from "../engine/models/scripted-server.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

type Report = { readonly cells: readonly { readonly runs: readonly RunState[] }[] };

function session(text: string, name = "session"): string {
  mkdirSync(at(name), { recursive: true });
  writeFileSync(at(name, "session.md"), text);
  return at(name);
}

const run = (settings: string, name = "main") =>
  `\`\`\`run ${name}\nsuite: appbench\nsplit: all\n${settings}\n\`\`\`\n`;
const analysisCell = (settings: string, name: string) => `\`\`\`analysis ${name}\n${settings}\n\`\`\`\n`;
const twoAnalyses = `${analysisCell("pane: difficulty\nby: category", "groups")}\n${analysisCell("pane: errors", "mistakes")}`;
const playable = `# A *small* test\n\n${run("model: builtin/slips?app=0.5\nlimit: 12")}\n${twoAnalyses}`;

describe("planwright run", () => {
  it("ends with status 1 if a fenced block has nearly the form of a cell", async () => {
    const block = "```yaml\nsuite: appbench\nmodel: builtin/oracle\n```\n";
    const { out, status } = await typed("run", session(`# Mine\n\n${block}`));
    expect(status).toBe(1);
    expect(out).toContain("The block in line 3 of the document has `suite:` but is not a cell");
  });

  test("executes a session, reports progress on standard error and prints its figures", async () => {
    const folder = session(playable);
    const { status, out, err } = await typed("run", folder, "--width", "90");
    expect(status).toBe(0);
    expect(err).toContain("main (builtin/slips?app=0.5): done, 12 of 12");
    expect(out).toContain("# A *small* test");
    expect(out.split("builtin/slips?app=0.5 reads the answer key")).toHaveLength(2);
    expect(out).toContain("* [1] builtin/slips?app=0.5 reads the answer key");
    expect(out).toMatch(/Scores by category \(official\) (?:\[\d\])+\n/);
    expect(out).toContain("Right API under another app");
    // Indented lines are figures, which fit the requested width.
    for (const line of out.split("\n").filter((each) => each.includes("│") || each.includes("|")))
      expect(line.length).toBeLessThanOrEqual(90);
    expect(existsSync(`${folder}/session.lock`)).toBe(false);
    const again = await typed("run", folder, "--width", "90");
    expect(again.out).toBe(out);
  });

  test("reports before it begins how many runs and tasks remain", async () => {
    const seeds = Array.from({ length: 25 }, (_, seed) => seed).join(", ");
    const grid = run(`model: builtin/oracle\nlimit: 2\nseed: [${seeds}]`, "grid");
    const folder = session(run("model: builtin/oracle\nlimit: 1", "one") + grid);
    expect((await typed("run", folder, "--cells", "one")).err).not.toContain("to come");
    expect((await typed("run", folder)).err).toMatch(/^25 runs with 50 tasks to execute\n/);
    expect((await typed("run", folder)).err).not.toContain("to come");
  });

  test("prints the warnings about a run's replies that the screen shows", async () => {
    await using server = await scriptedServer(
      stream(delta({ content: "Weather" }), delta({}, "length"), event({ choices: [] })),
    );
    const { status } = await typed("endpoint", "add", "lab", "--base-url", server.url);
    expect(status).toBe(0);
    const { out } = await typed("run", session(`# Cut\n\n${run("model: lab/m\nlimit: 2")}`));
    expect(out).toMatch(
      / {2}lab\/m: done; .*\n(?: {2}.*\n)* {2}\* \[\d\] \d of \d replies cut at maxTokens or at the context limit\n/,
    );
  });

  test("runs a notebook with its defaults, or once with other settings, and never changes the document", async () => {
    const text = `---\ntitle: kept\ndefaults:\n  model: builtin/slips\n  limit: 3\n---\n\n${run("", "one")}\n${run("limit: 2", "two")}`;
    const folder = session(text);
    const runs = async (...args: string[]) => {
      const { status, out, err } = await typed("run", folder, "--json", ...args);
      expect(status).toBe(0);
      const { cells } = JSON.parse(out) as { cells: { kind: string; runs: { run: string; spec: RunSpec }[] }[] };
      const found = cells.filter(({ kind }) => kind === "run").flatMap((cell) => cell.runs);
      return { err, runs: found.map(({ spec }) => [spec.model, spec.limit]), ids: found.map((each) => each.run) };
    };
    const plain = await runs();
    expect(plain.runs).toEqual([
      ["builtin/slips", 3],
      ["builtin/slips", 2],
    ]);
    const set = await runs("--set", "model=builtin/oracle", "--set", "limit=1");
    expect(set.runs).toEqual([
      ["builtin/oracle", 1],
      ["builtin/oracle", 2],
    ]);
    const own = await runs("--set", "two.limit=1", "--set", "split=all");
    expect(own.runs).toEqual([
      ["builtin/slips", 3],
      ["builtin/slips", 1],
    ]);
    expect(own.err).toContain("--set split=all changes nothing");
    expect(readFileSync(`${folder}/session.md`, "utf8")).toBe(text);
    // The ids equal those of cells that contain the same settings, so nothing is requested twice.
    writeFileSync(`${folder}/session.md`, `${run("model: builtin/slips\nlimit: 3", "one")}`);
    const same = await runs();
    expect(same.ids).toEqual(plain.ids.slice(0, 1));
    expect(same.err).toContain("one (builtin/slips): done, 3 of 3");
  });

  test.each([
    ["modle=a/b", "Expected a field of a run cell (did you mean `model`?), got `modle`"],
    ["limit=many", "Expected `limit` to be a whole number from 0"],
    ["three.limit=1", "Expected a run cell of this session (main), got `three`"],
    ["main.split=en/planning", "Expected `split` to be one of ss, sm, ms, mm, all, got"],
  ])("rejects --set %s before anything runs", async (written, message) => {
    const folder = session(playable, "refused");
    const { status, err } = await typed("run", folder, "--set", written);
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) });
    expect(existsSync(`${folder}/runs`)).toBe(false);
    expect(existsSync(`${folder}/session.lock`)).toBe(false);
  });

  test("runs nothing if the notebook's defaults have a mistake", async () => {
    const folder = session(`---\ndefaults:\n  limt: 3\n---\n${run("model: builtin/oracle\nlimit: 2")}`, "mistaken");
    const { status, out } = await typed("run", folder);
    expect(status).toBe(1);
    expect(out).toContain("! line 2: Expected a field of a run cell (did you mean `limit`?), got `limt`");
    expect(out).toContain("! The notebook's defaults are invalid: Expected a field");
    expect(existsSync(`${folder}/runs`)).toBe(false);
  });

  test("prints one JSON object with cells, runs, rows and figures", async () => {
    const { status, out } = await typed("run", session(playable), "--json");
    expect(status).toBe(0);
    const { title, cells } = JSON.parse(out) as { title: string; cells: Record<string, unknown>[] };
    expect(title).toBe("A *small* test");
    expect(cells).toMatchObject([
      { kind: "note", text: "# A *small* test" },
      { kind: "run", name: "main", problems: [], runs: [{ status: "done", total: 12, counts: { failed: 0 } }] },
      {
        kind: "analysis",
        name: "groups",
        pane: "difficulty",
        missing: null,
        chosen: { by: "category" },
        figures: [{ kind: "table" }, { kind: "bars" }],
      },
      {
        kind: "analysis",
        name: "mistakes",
        pane: "errors",
        figures: [{ kind: "table" }, { kind: "bars" }, { kind: "table" }],
      },
    ]);
    expect((cells[1]!["runs"] as { rows: unknown[] }[])[0]!.rows).toHaveLength(12);
  });

  test("asks only the judge if a saved run differs only in the judge, and reports the run whose answers are judged", async () => {
    const plan = "1. Look it up\n2. Tell it";
    const judgement = JSON.stringify(planDimensions.dimensions.map(({ key }) => ({ [key.en]: 8 })));
    await using server = await scriptedServer((response, seen) =>
      says(seen.body["model"] === "planner" ? plan : judgement)(response, seen),
    );
    const asked = (model: string) => server.seen.filter(({ body }) => body["model"] === model).length;
    await typed("endpoint", "add", "mine", "--base-url", server.url);
    const cell = (more: string) =>
      session(`\`\`\`run main\nsuite: ultratool\nsplit: en/planning\nmodel: mine/planner\nlimit: 4\n${more}\`\`\`\n`);
    const first = JSON.parse((await typed("run", cell(""), "--json")).out) as Report;
    expect(first.cells[0]!.runs[0]).toMatchObject({ counts: { unjudged: 4 }, calls: 4 });
    expect(first.cells[0]!.runs[0]!.warnings[0]).toContain("No answer will be scored");

    const { out, status } = await typed("run", cell("judge: mine/judge\n"));
    expect(status).toBe(0);
    expect(out).toContain("done; 4 right, 0 wrong, 0 failed of 4; 4 calls");
    expect(out).toContain(
      `    * 4 answers reused from run ${first.cells[0]!.runs[0]!.run} (no judge), not requested again`,
    );
    expect([asked("planner"), asked("judge")]).toEqual([4, 4]);
  });

  test("gives the reason for failed tasks only once per run", async () => {
    const server = createServer(
      (_, response) => void response.writeHead(400).end('{"error":{"message":"no such model"}}'),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    await typed("endpoint", "add", "mine", "--base-url", `http://127.0.0.1:${port}/v1`);
    const text = `# F\n\n${run("model: mine/wrong\nlimit: 4")}\n${run("model: builtin/oracle\nlimit: 4", "fine")}`;
    const { status, out } = await typed("run", session(text));
    server.close();
    expect(status).toBe(1);
    expect((await typed("run", at("session"), "--cells", "fine")).status).toBe(0);
    expect(out).toMatch(/4 failed of 4.*\n {4}! First failure \(model\): .*no such model/);
    expect(out.match(/First failure/g)).toHaveLength(1);
  });

  test("prints how many answers of a run were not read and why; reports list these answers by task", async () => {
    const folder = session(run("model: builtin/slips?garbage=1\nlimit: 4\nprompting: flat"));
    const { out } = await typed("run", folder, "--keep-going");
    expect(out).toMatch(/0 right, 4 wrong.*\n {4}4 of 4 not read: 4 other form\n/);
    const page = `${folder}/report.html`;
    await typed("export", folder, "--report", page);
    expect(readFileSync(page, "utf8").match(/Not read: other form/g)).toHaveLength(4);
  });

  test("executes only the requested cells, and rejects a missing cell", async () => {
    const folder = session(
      `${run("model: builtin/oracle\nlimit: 4", "one")}\n${run("model: builtin/oracle\nlimit: 5", "two")}`,
    );
    const { err, status } = await typed("run", folder, "--cells", "two");
    expect(status).toBe(0);
    expect(err).toContain("two (builtin/oracle): done, 5 of 5");
    expect(err).not.toContain("one (");
    expect(await typed("run", folder, "--cells", "two,three")).toMatchObject({
      status: 2,
      out: "",
      err: "planwright: Expected `--cells` to name cells of this session (one, two), got `three`\n",
    });
  });

  test("ends with status 1 if a cell is invalid, and still executes the others", async () => {
    const folder = session(
      `${run("shots: many\nmodel: builtin/oracle", "bad")}\n${run("model: builtin/oracle\nlimit: 3", "good")}\n${analysisCell("pane: scale\nof: [nobody]", "odd")}`,
    );
    const { status, out } = await typed("run", folder);
    expect(status).toBe(1);
    expect(out).toContain("! line 3: Expected `shots` to be a whole number from 0");
    expect(out).toContain("done; 3 right");
    expect(out).toContain("got `nobody`");
  });

  test.each([
    ["rejects the key", 401],
    ["does not know the model", 404],
  ])("ends with status 1 and the reason if the server %s, and loses nothing", async (_, code) => {
    const { createServer } = await import("node:http");
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response
        .writeHead(code, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: "go away" } }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as { port: number };
      await typed("endpoint", "add", "lab", "--base-url", `http://127.0.0.1:${port}/v1`, "--concurrency", "1");
      const { status, out } = await typed("run", session(run("model: lab/m\nlimit: 10")));
      expect(status).toBe(1);
      expect(asked).toBe(3);
      expect(out).toMatch(/failed \(.*go away.*\); 0 right, 0 wrong, 3 failed, 7 waiting of 10/);
    } finally {
      server.close();
    }
  });

  test("rejects an unknown endpoint before a run starts, and names the endpoint", async () => {
    const { status, out } = await typed("run", session(run("model: nowhere/m\nlimit: 6")));
    expect(status).toBe(1);
    expect(out).toContain("planwright endpoint add nowhere --base-url URL");
    expect(out).not.toContain("Error:");
  });

  test("rejects a missing session, an invalid width, and an unknown flag", async () => {
    expect(await typed("run", at("nothing"))).toMatchObject({ status: 2, out: "" });
    expect((await typed("run", at("nothing"))).err).toContain("Expected a session at");
    expect((await typed("run")).err).toContain("Expected one session, got 0");
    expect((await typed("run", "a", "b")).err).toContain("Expected one session, got 2");
    expect((await typed("run", session("x"), "--width", "wide")).err).toContain(
      "Expected `--width` to be a whole number",
    );
    expect((await typed("run", session("x"), "--colour")).err).toContain("--colour");
  });

  test("prints escape sequences in names and notes as signs", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J";
    const { out, err } = await typed(
      "run",
      session(`# ${evil}\n\n${run("model: builtin/oracle\nlimit: 1", `x${evil}`)}`),
    );
    expect(out + err).not.toContain("\u001b");
    expect(out).toContain("owned");
  });

  test("does not execute a session that is open elsewhere", async () => {
    const folder = session(playable);
    const elsewhere = new SessionFolder(folder);
    expect(elsewhere.lock()).toBeUndefined();
    const { status, out, err } = await typed("run", folder);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain(`Another Planwright (process ${process.pid}) has this session open`);
    elsewhere.unlock();
    expect(await typed("run", folder)).toMatchObject({ status: 0 });
  });
});

describe("planwright export", () => {
  test.each(exportFormats)("writes every figure of the session as %s", async (format) => {
    const folder = session(
      `${run("model: builtin/slips?app=0.5\nlimit: 6")}\n${twoAnalyses}\n${analysisCell("pane: difficulty", "").replace("analysis ", "analysis")}`,
    );
    await typed("run", folder);
    const { out } = await typed("export", folder, "--format", format);
    const written = (name: string) =>
      (format === "csv" ? ["csv", "notes.txt"] : [format === "vega" ? "vl.json" : format]).map(
        (ending) => `${folder}/exports/${name}.${ending}`,
      );
    const mistakes = ["bars", "table"].map((kind) => `mistakes-builtin-slips-app-0.5-${kind}`);
    const names = ["groups", "groups-bars", "mistakes-1", ...mistakes, "difficulty", "difficulty-bars"];
    // Vega-Lite has no tables.
    const files = names.filter((name) => format !== "vega" || name.endsWith("-bars")).map(written);
    expect(out).toBe(files.flatMap((own) => own.map((file) => `${file}\n`)).join(""));
    const isText = format !== "png" && format !== "pdf";
    for (const own of files) {
      const text = readFileSync(own.at(-1)!, isText ? "utf8" : "latin1");
      expect(text).toContain(isText ? "reads the answer key" : format.toUpperCase());
    }
  });

  test("draws pictures at a given width, and reports which figures need a greater width", async () => {
    const folder = session(playable);
    await typed("run", folder);
    const { status, out, err } = await typed("export", folder, "--format", "svg,png", "--width", "26mm", "--plain");
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toMatch(
      /^Expected `--width` to be at least [\d.]+cm for ".*", so that its text has at least 6 points$/m,
    );
    // Each figure is reported once, whatever the number of formats.
    expect(new Set(err.split("\n")).size).toBe(err.split("\n").length);
    const wide = await typed("export", folder, "--format", "svg", "--width", "40cm", "--plain");
    expect(wide).toMatchObject({ status: 0, err: "" });
    const [path] = wide.out.split("\n");
    expect(readFileSync(path!, "utf8")).toMatch(/ width="1133\.86pt" /);
    expect(readFileSync(path!, "utf8")).not.toContain("answer key");
    expect((await typed("export", folder, "--format", "svg", "--width", "8")).err).toContain(
      "Expected `--width` to be from 1in to 100in, such as 8cm, 80mm or 230pt, got `8`",
    );
  });

  test("writes the requested cells in several formats, and gives the reason if a cell has no results", async () => {
    const folder = session(playable);
    const early = await typed("export", folder, "--format", "csv,json,md");
    expect(early).toMatchObject({ status: 0, out: "", err: expect.stringContaining("groups: No results yet") });
    expect(early.err.replace(/: .*/g, "")).toBe("analysis groups\nanalysis mistakes\n");
    await typed("run", folder);
    await typed("export", folder, "--format", "csv,json", "--cells", "groups");
    const files = ["csv", "json", "notes.txt"].flatMap((end) => [`groups-bars.${end}`, `groups.${end}`]);
    expect(readdirSync(`${folder}/exports`).toSorted()).toEqual(files.toSorted());
    expect((await typed("export", folder, "--format", "travelplanner")).err).toContain(
      "the suite of this cell cannot write answers in the format travelplanner",
    );
    expect((await typed("export", folder, "--format", "docx")).err).toContain(
      "Expected `--format` to be one of csv, json, md, tex, svg, html, vega, png, pdf",
    );
    expect(await typed("export", folder, "--cells", "nobody")).toMatchObject({ status: 2 });
  });

  test("writes the cells of an analysis to distinct files inside the folder, whatever the names of the cells", async () => {
    const folder = session(
      `${run("model: builtin/oracle\nlimit: 2")}\n${["", "", " ../../up", ` ${"long".repeat(100)}`].map((name) => `\`\`\`analysis${name}\npane: difficulty\n\`\`\`\n`).join("\n")}`,
    );
    await typed("run", folder);
    expect(await typed("export", folder)).toMatchObject({ status: 0 });
    const names = readdirSync(`${folder}/exports`).filter((name) => name.endsWith(".csv"));
    const bars = ["..-..-up", "difficulty.2", "difficulty"].flatMap((name) => [`${name}.csv`, `${name}-bars.csv`]);
    const wanted = [...["", "~2"].map((end) => `${"long".repeat(20)}${end}.csv`), ...bars];
    expect(names.toSorted()).toEqual(wanted.toSorted());
  });
});

describe("the program planwright", () => {
  test("prints its usage", async () => {
    const { status, out } = await typed("help");
    expect(status).toBe(0);
    for (const name of ["run", "score", "export", "data", "endpoint", "generate", "cluster", "serve-builtin"]) {
      expect(out).toContain(`  ${name}`);
      expect((await typed(name, "--help")).out).toContain(`planwright ${name}`);
      expect((await typed("help", name)).out).toBe((await typed(name, "-h")).out);
    }
    for (const flag of ["--ascii", "--screen-reader", "--no-alternate-screen"]) expect(out).toContain(`    ${flag} `);
    expect(await typed("--ascii", "--help")).toEqual({ status, out, err: "" });
    expect((await typed("--version")).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    [["frobnicate"], "Expected a session or one of the commands new, run, ctl, worker, workers"],
    [["--frobnicate"], "Expected a session, a command, or one of --ascii, --screen-reader"],
    [["a", "b"], "Expected a session or one of the commands new, run, ctl, worker, workers"],
  ])("rejects an unknown command with status 2, without creating a session: %j", async (args, words) => {
    const said = await typed(...args);
    expect(said).toMatchObject({ status: 2, out: "" });
    expect(said.err).toContain(words);
    expect(existsSync("sessions/frobnicate")).toBe(false);
  });
});

describe("warnings of a notebook", () => {
  test("are printed once, with a sign at every figure that they concern, and in exported files without signs", async () => {
    const folder = session(playable, "marks");
    const { out } = await typed("run", folder, "--width", "200");
    const titles = out.split("\n").filter((line) => /^[A-Z].* \[1\]/.test(line));
    expect(titles.length).toBe(5);
    expect(out.match(/reads the answer key/g)).toHaveLength(1);
    const { out: paths } = await typed("export", folder, "--format", "md,csv,json", "--cells", "groups");
    const ofTable = paths.split("\n").filter((path) => path.includes("/groups."));
    const files = ofTable.map((path) => readFileSync(path, "utf8"));
    expect(files[0]!.match(/^- builtin\/slips\?app=0\.5 reads the answer key$/gm)).toHaveLength(1);
    expect(files[1]).not.toContain("answer key");
    expect(files[2]).toMatch(/^builtin\/slips\?app=0\.5 reads the answer key$/m);
    for (const file of files.slice(0, 3)) expect(file).not.toMatch(/\[\d\\?\]/);
    // Programs read it unchanged.
    expect(JSON.parse(files[3]!)).toMatchObject({
      warnings: expect.arrayContaining(["builtin/slips?app=0.5 reads the answer key"]),
    });
  });
});

describe("planwright run --fail-on-claim", () => {
  const claims = (...lines: string[]) =>
    `${run("model: builtin/slips?rate=0.9\nprompting: [hierarchical, flat]")}\n${run("model: builtin/oracle\nprompting: flat", "best")}\n${analysisCell(
      `pane: difficulty\nby: category\nclaim:\n${lines.map((line) => `  - ${line}\n`).join("")}`,
      "claimed",
    )}`;
  const better = "model=builtin/oracle > model=builtin/slips?rate=0.9 on success";
  const worse = "model=builtin/slips?rate=0.9 > model=builtin/oracle on success";

  test("answers the claims, and ends with status 1 if an answer is no", async () => {
    const folder = session(claims(better), "claims");
    const held = await typed("run", folder, "--fail-on-claim=undecided", "--width", "400");
    expect(held.status).toBe(0);
    expect(held.out).toMatch(/Claim: model=builtin\/oracle > .* \[1\]/);
    expect(held.out).toMatch(/best +yes +100\.00/);
    writeFileSync(`${folder}/session.md`, claims(better, worse));
    const without = await typed("run", folder);
    expect(without.status).toBe(0);
    const failed = await typed("run", folder, "--fail-on-claim", "--json");
    expect(failed.status).toBe(1);
    expect(failed.err).toMatch(/model=builtin\/slips.* > model=builtin\/oracle on success \(.*\): no/);
    const { cells } = JSON.parse(failed.out) as { cells: { claims?: { answer: string }[] }[] };
    expect(cells.flatMap((cell) => cell.claims ?? []).map(({ answer }) => answer)).toEqual(["yes", "no"]);
  });

  test("fails on an undecided claim only on request", async () => {
    const folder = session(claims(`${better} by 0`).replaceAll("split: all", "split: all\nlimit: 3"), "few");
    expect((await typed("run", folder, "--fail-on-claim")).status).toBe(0);
    const { status, err } = await typed("run", folder, "--fail-on-claim=undecided");
    expect(status).toBe(1);
    expect(err).toContain("not decided");
    const { out } = await typed("run", folder, "--width", "200");
    expect(out).toMatch(/Detectable [a-z ]*\(80 % power, p < 0\.05 before Holm's correction\): (none|at least \d)/);
  });

  test("reports a mistake in a claim with its line, and a mistake in the value of the flag", async () => {
    const folder = session(claims("prompting=flat is best"), "mistaken-claim");
    const { status, out } = await typed("run", folder);
    expect(status).toBe(1);
    expect(out).toMatch(/! line 3: Expected `claim` as `FIELD=VALUE > FIELD=VALUE on METRIC`/);
    expect((await typed("run", folder, "--fail-on-claim=maybe")).err).toContain("--fail-on-claim=undecided");
  });
});
