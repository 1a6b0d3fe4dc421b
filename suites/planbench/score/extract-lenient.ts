/**
 * Reads a plan more leniently than the official extractors: the last fenced block or `[PLAN]` part, steps in PDDL or in words,
 * with numbering and Markdown removed. It never adds a step.
 */
import { blocksActions, depotsStep, logisticsStep, pythonWords, Raised } from "./extract-official.ts";
import type { Atom, Domain, Problem } from "./pddl.ts";
import { readingOf, wordsOf } from "./words.ts";

/** The domain and objects that a plan is about. */
type World = { readonly config: string; readonly domain: Domain; readonly problem: Problem };

/** Returns the steps, one per line; lines without a step are omitted. */
export function extractLenient(world: World, raw: string): string {
  const steps = planPart(raw.toLowerCase())
    .split("\n")
    .flatMap((line) => stepsIn(world, line));
  return steps.map((step) => `(${step.join(" ")})`).join("\n");
}

/** True if a reply states that there is no plan. */
export function saysUnsolvable(text: string): boolean {
  return /\bno (?:valid |feasible )?plan (?:is |that is )?(?:possible|exists)\b|\bunsolvable\b/i.test(text);
}

function planPart(text: string): string {
  const fences = text.split("```");
  // Odd parts are inside fences; the last one may be left open.
  const fenced = fences.filter((part, index) => index % 2 === 1 && part.trim() !== "").at(-1);
  if (fenced !== undefined) return fenced;
  const marked = text.split("[plan]").at(-1)!;
  return marked.split(/\[plan[ _]end\]/)[0]!;
}

function stepsIn(world: World, given: string): readonly Atom[] {
  const line = given
    .replace(/[*`]/g, "")
    .trim()
    .replace(/^(?:[-+•]|(?:step )?[0-9]+ ?[.):])\s*/, "");
  const bracketed = [...line.matchAll(/\(([^()]*)\)/g)].flatMap(([, inside]) => pddlStep(world, inside!) ?? []);
  if (bracketed.length > 0) return bracketed;
  const bare = pddlStep(world, line);
  return bare ?? stepInWords(world, line);
}

/** Returns an action name with exactly its objects, as a list with one item; objects may be in words. */
function pddlStep({ config, domain, problem }: World, text: string): readonly [Atom] | undefined {
  const [name, ...rest] = pythonWords(text.replace(/[.,;]/g, " "));
  const action = domain.actions.get(name ?? "");
  if (action === undefined) return undefined;
  const byColour = new Map(
    readingOf(config) === "blocks"
      ? Object.entries(wordsOf(config).objects).map(([object, words]) => [words.split(" ")[0]!, object])
      : [],
  );
  const values = rest
    .filter((word) => word !== "object" && word !== "block")
    .map((word) => {
      const short = word.replace(/^object_/, readingOf(config) === "obfuscated" ? "o" : "");
      return problem.objects.has(short) ? short : (byColour.get(word) ?? short);
    });
  const isKnown = values.every((value) => problem.objects.has(value) || domain.constants.has(value));
  return isKnown && values.length === action.parameters.length ? [[name!, ...values]] : undefined;
}

function stepInWords({ config, domain }: World, line: string): readonly Atom[] {
  switch (readingOf(config)) {
    case "blocks":
      return blocksActions(line, wordsOf(config), (text) => text.replace(/[.,;:!?()]/g, " "));
    case "logistics":
      try {
        return logisticsStep(line.replace(/[.,;:()]/g, " "));
      } catch (error) {
        if (error instanceof Raised) return [];
        throw error;
      }
    case "depots":
      return depotsStep(line.replace(/[,;:()]/g, " "));
    case "obfuscated": {
      const words = pythonWords(line.replace(/[.,;:()]/g, " "));
      const name = words.find((word) => domain.actions.has(word));
      const objects = words.filter((word) => /^object_[0-9]+$/.test(word)).map((word) => `o${word.slice(7)}`);
      return name !== undefined && objects.length === domain.actions.get(name)!.parameters.length
        ? [[name, ...objects]]
        : [];
    }
    case "pddl":
      return [];
  }
}
