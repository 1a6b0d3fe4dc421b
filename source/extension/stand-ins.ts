/**
 * Replaces code that is not loaded by parts that the logs of a notebook describe: its runs can be read, drawn and compared, but
 * not executed.
 */
import { meanMeasure } from "../engine/measures/measure.ts";
import type { Option } from "../engine/option.ts";
import { Problem } from "../engine/problem.ts";
import { familyName } from "../engine/session/file-suite.ts";
import { startOf } from "../engine/session/older-code.ts";
import { runOfFolder, storedRun } from "../engine/session/run-identity.ts";
import type { SessionFolder } from "../engine/session/session-folder.ts";
import type { Strategy } from "../engine/strategy.ts";
import type { Suite } from "../engine/suite.ts";
import type { Role, RunSpec } from "../engine/types.ts";
import type { Program } from "./extensions.ts";
import { suiteWith } from "./public-api.ts";
import { join } from "node:path";

/** A run with the user's code, as described at the start of its log. */
type Logged = { readonly run: string; readonly spec: RunSpec };

/** Adds a part for each that runs of the notebook name and the program lacks. `why` is the message when one is executed. */
export function withStandIns(program: Program, folder: SessionFolder, why: string): Program {
  const logged = loggedRuns(folder);
  const refuse = () => {
    throw new Problem("tool", why);
  };
  const { own } = program;
  const suites = new Map(program.suites.map((suite) => [suite.name, suite]));
  const environments = new Map(Object.entries(own?.environments ?? {}));
  const code = {
    suites: new Map(own?.code?.suites),
    strategies: new Map([...(own?.code?.strategies ?? [])].map(([name, all]) => [name, new Map(all)])),
    environments: new Map(own?.code?.environments),
  };
  const hashes = new Set<string>();
  for (const { spec } of logged) {
    const name = familyName(spec.suite)!;
    const hash = spec.code?.["suite"];
    if (hash === undefined || suites.has(name)) continue;
    suites.set(name, standInSuite(name, spec, refuse));
    code.suites.set(name, hash);
    hashes.add(hash);
  }
  for (const [name, runs] of Map.groupBy(logged, ({ spec }) => `${familyName(spec.suite)!} ${spec.strategy}`)) {
    const [family = ""] = name.split(" ");
    const [{ spec }] = runs as [Logged];
    const suite = suites.get(family);
    if (suite === undefined || suite.strategies.some((each) => each.name === spec.strategy)) continue;
    const added = standInStrategy(runs, suite, refuse);
    suites.set(
      family,
      suiteWith(suite, ({ strategies }) => ({ strategies: [...strategies, added] })),
    );
    const hash = spec.code?.["strategy"];
    if (hash === undefined) continue;
    code.strategies.set(family, (code.strategies.get(family) ?? new Map<string, string>()).set(spec.strategy, hash));
    hashes.add(hash);
  }
  for (const [part, hash] of logged.flatMap(({ spec }) => Object.entries(spec.code ?? {}))) {
    const name = part.startsWith("environment:") ? part.slice("environment:".length) : "";
    if (name === "" || environments.has(name)) continue;
    environments.set(name, { open: refuse });
    code.environments.set(name, hash);
    hashes.add(hash);
  }
  const notebook = { files: own?.notebook?.files ?? [], unloaded: { why, hashes } };
  return {
    suites: [...suites.values()],
    analyses: program.analyses,
    own: { environments: Object.fromEntries(environments), code, notebook },
  };
}

/** Returns the runs of the folder that used the user's code, the latest first, because older runs may have used other code. */
function loggedRuns(folder: SessionFolder): readonly Logged[] {
  const found = folder.runs().flatMap((run) => {
    const start = run.startsWith(".") ? undefined : startOf(join(folder.run(run), "events.jsonl"));
    return start?.spec.code === undefined ? [] : [{ run, spec: start.spec, at: start.at }];
  });
  return found.toSorted((one, other) => other.at - one.at);
}

function standInStrategy(runs: readonly Logged[], suite: Suite, refuse: () => never): Strategy {
  const [{ run, spec }] = runs as [Logged];
  const known = new Set(
    [...suite.options, ...suite.strategies.flatMap(({ options = [] }) => options)].map((each) => each.name),
  );
  const values = runs.flatMap((each) => Object.entries(each.spec.options)).filter(([name]) => !known.has(name));
  const options = [...new Map(values.toReversed())].map(([name, value]): Option => ({
    name,
    title: name,
    values: typeof value === "number" ? "number" : "text",
    default: value as string | number,
  }));
  const needs = spec.toolServers === undefined ? suite.strategies[0]?.needs : "environment";
  const strategy: Strategy = {
    name: spec.strategy,
    title: spec.strategy,
    needs: needs ?? "stages",
    revision: spec.strategyRevision ?? 1,
    roles: ["model", ...(["actor", "responder", "user", "judge"] as const).filter((role: Role) => role in spec)],
    ...(runs.some((each) => each.spec.shots > 0) && { usesShots: true }),
    ...(options.length > 0 && { options }),
    run: refuse,
  };
  // If tasks build on earlier ones, the choice of tasks is part of the folder's name.
  const asked = { options: suite.options, strategies: [...suite.strategies, strategy] };
  return storedRun(spec, asked).folder.startsWith(runOfFolder(run))
    ? strategy
    : { ...strategy, sequential: () => true };
}

function standInSuite(name: string, spec: RunSpec, refuse: () => never): Suite {
  const { suiteRevision = 1, dataset = "", split } = spec;
  return {
    name,
    title: name,
    revision: suiteRevision,
    paper: { title: "", venue: "", url: "" },
    licence: "",
    splits: [{ name: split, title: split }],
    facets: [],
    strategies: [],
    options: [],
    maxShots: 1_000,
    measures: [
      meanMeasure("score", { name: "score", title: "Score", mode: "own", note: "Scored by the suite's own code." }),
    ],
    errorKinds: [],
    faultKinds: [],
    analyses: ["overview", "errors", "compare", "answers", "consistency", "efficiency", "cost"],
    data: { files: [], source: "" },
    identity: () => dataset,
    open: async () => refuse(),
  };
}
