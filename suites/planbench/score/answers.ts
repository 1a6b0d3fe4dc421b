/** Reads answers about plans as the official program does: whether a plan is valid and why (task 3), and a state in words (task 7). */
import { strip } from "../../../source/engine/python/text.ts";
import { extractOfficial } from "./extract-official.ts";
import { arityOf, readingOf, wordsOf, type Words } from "./words.ts";

export type Verification = {
  valid?: boolean;
  /** A list of facts; an empty text if no line follows. */
  unmet_goal?: readonly string[] | "";
  unmet_precondition?: { action?: string; predicate?: readonly string[] };
};

export type VerificationMarks = {
  readonly parsed: Verification;
  readonly binary: boolean;
  readonly type: boolean;
  readonly explanation: boolean;
};

export type ExecutionMarks = { readonly parsed: readonly string[]; readonly correct: boolean };

/** Compares a reply to task 3 with the reference text. All marks are false if the reply gives no verdict: the official program raises. */
export function verificationMarks(config: string, raw: string, answer: string): VerificationMarks {
  const parsed = readVerification(config, raw);
  const wanted = readVerification(config, answer);
  const binary = parsed.valid !== undefined && parsed.valid === wanted.valid;
  const type = binary && (parsed.valid === true || sameKeys(parsed, wanted));
  return { parsed, binary, type, explanation: type && (parsed.valid === true || sharesReason(parsed, wanted)) };
}

/** Compares the state of a reply to task 7 with the reference facts; repeated facts count. */
export function executionMarks(config: string, raw: string, answer: readonly string[]): ExecutionMarks {
  const parsed = stateIn(config, raw);
  const [given, wanted] = [[...parsed].sort(), [...answer].sort()];
  const correct = given.length === wanted.length && given.every((fact, index) => fact === wanted[index]);
  return { parsed, correct };
}

function sameKeys(one: Verification, other: Verification): boolean {
  return Object.keys(one).sort().join() === Object.keys(other).sort().join();
}

function sharesReason(given: Verification, wanted: Verification): boolean {
  const shared = (one: readonly string[] | "" = "", other: readonly string[] | "" = "") =>
    [...one].some((fact) => other.includes(fact));
  if (shared(given.unmet_goal, wanted.unmet_goal)) return true;
  const [one, other] = [given.unmet_precondition, wanted.unmet_precondition];
  if (one?.action === undefined || one.action !== other?.action) return false;
  return shared(one.predicate, other?.predicate);
}

/** Reads a reply to task 3 line by line, until a line that begins another problem. */
export function readVerification(config: string, text: string): Verification {
  const read: Verification = {};
  let next: "goal" | "action" | undefined;
  let [hasAction, awaitsFacts] = [false, false];
  for (const line of text.split("\n")) {
    if (line.includes("[STATEMENT]")) break;
    const trimmed = strip(line);
    if (trimmed === "") continue;
    if (next === "goal") {
      read.unmet_goal = stateIn(config, trimmed);
      next = undefined;
      continue;
    }
    if (next === "action") {
      read.unmet_precondition!.action = actionIn(config, trimmed);
      next = undefined;
      hasAction = true;
      continue;
    }
    if (hasAction && awaitsFacts) {
      read.unmet_precondition!.predicate = stateIn(config, trimmed);
      [hasAction, awaitsFacts] = [false, false];
    }
    if (line.includes("plan is valid")) {
      read.valid ??= true;
      break;
    }
    if (line.includes("plan is invalid")) read.valid = false;
    const [goal, precondition] = [line.includes("unmet goal"), line.includes("unmet precondition")];
    if (goal && precondition) break;
    if (goal) {
      read.unmet_goal = "";
      next = "goal";
    } else if (precondition && line.includes("action")) {
      read.unmet_precondition = {};
      next = "action";
    } else if (precondition) awaitsFacts = true;
    else if (line.includes("Unmet precondition:") && hasAction) {
      read.unmet_precondition!.predicate = stateIn(config, trimmed);
      hasAction = false;
    }
  }
  return read;
}

/** Returns the action of a line as the official program prints it: objects in words, without "block". */
function actionIn(config: string, line: string): string {
  const steps = extractOfficial(config, "", line, "plan-bench") ?? "";
  if (readingOf(config) !== "blocks") return steps === "" ? "" : `${steps}\n`;
  const { objects } = wordsOf(config);
  const shown = (step: string) =>
    step.replaceAll(/ ([a-l])(?=[ )])/g, (_, object: string) => ` ${objects[object]!.replace(" block", "")}`);
  return steps
    .split("\n")
    .filter((step) => step !== "")
    .map((step) => `${shown(step)}\n`)
    .join("");
}

/** The facts of a text, such as `on_a_b`. */
export function stateIn(config: string, text: string): readonly string[] {
  const facts = text
    .replaceAll(" and ", ",")
    .split(",")
    .map(strip)
    .filter((fact) => fact !== "" && !fact.includes(" not "));
  const read =
    readingOf(config) === "logistics" ? logisticsFact : config.startsWith("mystery") ? markedFact : blocksFact;
  return facts.flatMap((fact) => read(fact, wordsOf(config)) ?? []);
}

/** Marker texts, in the order in which the official program searches for them. */
const markers = {
  ontable: "on the table",
  clear: "clear",
  handempty: "hand is empty",
  holding: "holding",
  on: "on top of",
};

function blocksFact(fact: string, { objects, predicates }: Words): string | undefined {
  const found = Object.entries(markers).find(([, marker]) => fact.includes(marker));
  if (found === undefined) return undefined;
  const [name, marker] = found;
  const named = fact
    .split(marker)
    .flatMap((part) => Object.keys(objects).find((object) => part.includes(objects[object]!.split(" ")[0]!)) ?? []);
  return [name, ...named.slice(0, arityOf(predicates[name]!))].join("_");
}

/** Reads a fact of Mystery: only the first object counts, and a fact without an object ends in `_`. */
function markedFact(fact: string, { objects, predicates }: Words): string | undefined {
  const name = Object.keys(predicates).find((each) => fact.includes(each));
  if (name === undefined) return undefined;
  const named = fact
    .split(predicates[name]!)
    .flatMap((part) => Object.keys(objects).find((object) => part.includes(objects[object]!)) ?? []);
  return `${name}_${named.join("_")}`;
}

function logisticsFact(fact: string): string | undefined {
  for (const [name, marker] of [
    ["at", " is at "],
    ["in", " is in "],
  ] as const)
    if (fact.includes(marker))
      return `${name}_${fact
        .split(marker)
        .filter((part) => part !== "")
        .join("_")}`;
  return undefined;
}
