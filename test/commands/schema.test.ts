import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { analyses } from "../../analyses/index.ts";
import { readSession } from "../../source/engine/session/document/session-document.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();

/** The printed schema, used by another program's validator; the errors of a value as text. */
const checkers = new Map<string, Promise<(value: unknown) => string>>();
function checker(kind: string): Promise<(value: unknown) => string> {
  const known = checkers.get(kind) ?? readChecker(kind);
  checkers.set(kind, known);
  return known;
}

async function readChecker(kind: string): Promise<(value: unknown) => string> {
  const { status, out } = await typed("schema", kind);
  expect(status).toBe(0);
  const ajv = new Ajv({ strict: true, code: { optimize: false } });
  const check = ajv.compile(JSON.parse(out) as object);
  return (value) => (check(value) ? "" : ajv.errorsText(check.errors));
}

/** Every committed notebook: those that come with the program, and those of earlier versions. */
const notebooks = execFileSync("git", ["ls-files", "sessions/", "test/released/"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => path.endsWith("session.md"));
const cells = notebooks.flatMap((path) =>
  readSession(readFileSync(path, "utf8")).segments.map((segment) => ({ ...segment, path })),
);

describe("the schema of cells", () => {
  test("forbids an analysis to name a choice like a common field", () => {
    for (const { name, choices, lists } of analyses)
      for (const field of ["pane", "analysis", "of", "only", "claim"])
        expect({ name, choices: Object.keys({ ...choices([]), ...lists?.([]) }) }).not.toMatchObject({
          choices: expect.arrayContaining([field]),
        });
  });

  test.each(["run", "analysis", "front-matter"])("accepts every %s cell of the existing notebooks", async (kind) => {
    const wrong = await checker(kind);
    const own = cells.filter((cell) => cell.kind === kind);
    if (kind !== "front-matter") expect(own.length).toBeGreaterThan(2);
    for (const { source, path } of own) expect({ path, wrong: wrong(parse(source)) }).toEqual({ path, wrong: "" });
  });

  test.each([
    ["run", "suite: appbench\nmodel: lab/m\nprompting: [flat, hierarchical]\nshots: [0, 3]"],
    ["run", "suite: appbench\nfilter: {category: [SS, MM]}\nbudget: {task: {steps: 4}, run: {cost: 2.5}}"],
    ["run", "suite: toolbench\nstrategy: tool-planner\nclusters: {k: [4, 8]}\nclusters.method: kmeans"],
    ["run", 'suite: own\nfrom: questions.csv\ncheck: number\nstop: ["A", "B"]\nrequest: {lab_field: 20}'],
    ["run", "limit: 3"],
    ["run", "suite: appbench\nmodel: {small: lab/a, large: lab/b}\nprompting: {one: flat, two: hierarchical}"],
    ["run", "suite: appbench\nfilter: {easy: {category: SS}}\nbudget: {short: {task: {steps: 4}}}"],
    ["run", "suite: toolbench\nclusters: {coarse: {k: 4}, fine: {k: 16}}"],
    ["run", "suite: own\nfrom: questions.csv\ntools: {alone: [mail], described: [mail, text]}"],
    ["run", "suite: toolbench\ncache: on"],
    ["run", "suite: toolbench\ncache: {match: text}"],
    [
      "analysis",
      "pane: difficulty\nrows: model\nmeasures: [official.success]\npaper: {shots: [0, 3]}\nonly: {model: m}",
    ],
    ["analysis", "analysis: compare\nclaim:\n  - a=b > a=c on success"],
    ["front-matter", "alias: {small: lab/a, ReAct: react}"],
    ["front-matter", "title: mine\ndefaults: {model: lab/m, limit: 20}"],
  ])("accepts a %s cell as people write it: %j", async (kind, source) => {
    expect((await checker(kind))(parse(source))).toBe("");
  });

  test.each([
    ["run", "suite: appbnch"],
    ["run", "suite: [own/questions.csv, appbench]"],
    ["run", "suite: appbench\nmodle: lab/m"],
    ["run", "suite: appbench\nstrategy: tool-planner"],
    ["run", "suite: appbench\nclusters.k: 4"],
    ["run", "suite: appbench\ntemperature: 3"],
    ["run", "suite: appbench\nlimit: 2.5"],
    ["run", "suite: appbench\ncache: onn"],
    ["run", "suite: appbench\ncache: {match: text}"],
    ["run", "suite: toolbench\ncache: onn"],
    ["run", "suite: toolbench\ncache: {mach: text}"],
    ["run", "suite: appbench\nfilter: {colour: red}"],
    ["run", "suite: appbench\nbudget: {task: {hours: 1}}"],
    ["analysis", "pane: difficult"],
    ["analysis", "pane: difficulty\ntoolkit: all"],
    ["analysis", "of: main"],
    ["front-matter", "defaults: {temprature: 1}"],
  ])("rejects the mistake in a %s cell: %j", async (kind, source) => {
    expect((await checker(kind))(parse(source))).not.toBe("");
  });
});

describe("the schema of the settings", () => {
  test("accepts the settings that the program writes, with the schema's name in them", async () => {
    await typed("endpoint", "add", "lab", "--base-url", "http://127.0.0.1:9/v1", "--models", "a,b", "--rpm", "60");
    const wrong = await checker("settings");
    const written = JSON.parse(readFileSync(at("settings", "settings.json"), "utf8")) as { endpoints: object[] };
    expect(wrong({ $schema: "settings.schema.json", ...written })).toBe("");
    expect(wrong({ endpoints: [{ ...written.endpoints[0], concurrency: 0 }] })).toContain("concurrency");
    expect(wrong({ endpoint: [] })).not.toBe("");
  });
});

test.each(["settings", "run"])("the schema of %s describes every field for editors", async (kind) => {
  const schema = JSON.parse((await typed("schema", kind)).out) as Described;
  expect(undescribed(schema, "")).toEqual([]);
});

type Described = {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly additionalProperties?: Described | boolean;
};

function undescribed(schema: Described, at: string): readonly string[] {
  const { properties = {}, items, additionalProperties: named } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(field.description === undefined ? [`${at}${name}`] : []),
      ...undescribed(field, `${at}${name}.`),
    ]),
    ...(items === undefined ? [] : undescribed(items, `${at}[].`)),
    ...(typeof named === "object" ? undescribed(named, `${at}NAME.`) : []),
  ];
}

test("the schema command rejects an unknown kind", async () => {
  expect(await typed("schema", "cells")).toMatchObject({
    status: 2,
    err: expect.stringContaining("Expected one of run, analysis, front-matter, settings, rows, codes, got `cells`"),
  });
});
