/** Loads users' files and adds their parts to the program's arrays. */
import type { Analysis } from "../engine/analysis.ts";
import type { EnvironmentSource } from "../engine/protocol.ts";
import type { Strategy } from "../engine/strategy.ts";
import type { Suite } from "../engine/suite.ts";
import type { OwnParts } from "../engine/workbench/document/loaded-suites.ts";
import { placeOfWord } from "./check-definition.ts";
import { type Extension, ExtensionProblem } from "./definition.ts";
import { loadExtension } from "./load-extension.ts";
import type { OwnSource } from "./own-source.ts";
import { ownAnalysis, ownSuite, suiteWith } from "./public-api.ts";

/** Everything that the program can run and show. */
export type Program = {
  readonly suites: readonly Suite[];
  readonly analyses: readonly Analysis[];
  readonly own?: OwnParts;
};

/** Loads files in order, each once. Throws `ExtensionProblem`. */
export async function loadExtensions(files: readonly (string | OwnSource)[]): Promise<readonly Extension[]> {
  const loaded = new Map<string, Extension>();
  for (const file of new Set(files)) {
    const extension = await loadExtension(file);
    loaded.set(extension.path, extension);
  }
  return [...loaded.values()];
}

/**
 * Adds suites first, so that a strategy in any file can be added to a suite of any other file. Throws `ExtensionProblem` for a
 * duplicate name, a strategy of an unknown suite, or a strategy that needs a protocol that its suite does not serve.
 */
export function extended(program: Program, extensions: readonly Extension[]): Program {
  if (extensions.length === 0) return program;
  const suites = new Map(program.suites.map((suite) => [suite.name, suite]));
  const analyses = new Map(program.analyses.map((analysis) => [analysis.name, analysis]));
  const before = program.own;
  const environments = new Map<string, EnvironmentSource>(Object.entries(before?.environments ?? {}));
  const code = {
    suites: new Map(before?.code?.suites),
    strategies: new Map([...(before?.code?.strategies ?? [])].map(([suite, all]) => [suite, new Map(all)])),
    environments: new Map(before?.code?.environments),
  };
  for (const { definition, hash, place } of extensions) {
    for (const suite of definition.suites ?? []) {
      add(suites, "suite", suite.name, ownSuite(suite), place);
      code.suites.set(suite.name, hash);
    }
    for (const analysis of definition.analyses ?? [])
      add(analyses, "analysis", analysis.name, ownAnalysis(analysis), place);
    for (const [name, source] of Object.entries(definition.environments ?? {})) {
      add(environments, "environment", name, source, place);
      code.environments.set(name, hash);
    }
  }
  for (const { definition, hash, place } of extensions)
    for (const [name, strategies] of Object.entries(definition.strategies ?? {})) {
      const suite = suites.get(name);
      if (suite === undefined)
        throw new ExtensionProblem(
          `${placeOfWord(place, name)}: Expected strategies for one of the suites ${[...suites.keys()].join(", ")}, got \`${name}\``,
        );
      for (const strategy of strategies) checkStrategy(strategy, suite, place);
      suites.set(
        name,
        suiteWith(suite, (own) => ({ strategies: [...own.strategies, ...strategies] })),
      );
      const hashes = code.strategies.get(name) ?? new Map<string, string>();
      for (const strategy of strategies) hashes.set(strategy.name, hash);
      code.strategies.set(name, hashes);
    }
  return {
    suites: [...suites.values()],
    analyses: [...analyses.values()],
    own: { ...before, environments: Object.fromEntries(environments), code },
  };
}

function add<Part>(parts: Map<string, Part>, what: string, name: string, part: Part, place: Extension["place"]): void {
  if (parts.has(name))
    throw new ExtensionProblem(
      `${placeOfWord(place, name)}: Expected the ${what} to have a unique name, got \`${name}\`, which is taken`,
    );
  parts.set(name, part);
}

function checkStrategy({ name, needs }: Strategy, suite: Suite, place: Extension["place"]): void {
  if (suite.strategies.some((each) => each.name === name))
    throw new ExtensionProblem(
      `${placeOfWord(place, name)}: Expected the strategy to have a unique name, got \`${name}\`, which \`${suite.name}\` has already`,
    );
  // A suite serves what its own strategies need.
  const served = [...new Set(suite.strategies.map((each) => each.needs))];
  if (!served.includes(needs))
    throw new ExtensionProblem(
      `${placeOfWord(place, name)}: Expected \`needs\` of strategy \`${name}\` to be a protocol of \`${suite.name}\` (${served.join(", ")}), got \`${needs}\``,
    );
}
