/** Finds completions of the word being typed in a shell. */
import { readSession } from "../../engine/session/document/session-document.ts";
import { modelNames } from "../../engine/models/models.ts";
import type { Suite } from "../../engine/suite.ts";
import { openSettings } from "../../engine/settings/settings.ts";
import type { Flags, Taken } from "./arguments.ts";
import type { Command } from "./command.ts";
import { topicNames } from "./help.ts";
import { isSession, savedSession, sessionNames } from "../session/open-session.ts";
import { screenFlags } from "../session/screen-flags.ts";
import { withFiles, withFlag } from "./user-settings.ts";

type Context = { readonly suites: readonly Suite[]; readonly commands: readonly Command[] };

/** The shell itself finds files and folders. */
const files = ":files";
const folders = ":folders";

/**
 * Returns all completions of the last word of a command line. `typed` excludes the program's name; its last word may be empty.
 * Bash splits words at `=` and `:` and completes the last part.
 */
export async function completions(typed: readonly string[], context: Context): Promise<readonly string[]> {
  const words = joinedWords(typed);
  const { before, current, lead } = lastWord(words);
  const standing = (words.at(-1) ?? "").length - lastPiece(typed).length;
  const found = await candidates(before, current, context);
  const fitting = found.filter((word) => word === files || word === folders || word.startsWith(current));
  return fitting.map((word) => (word === files || word === folders ? word : `${lead}${word}`.slice(standing)));
}

const isJoint = (word: string | undefined): boolean => word !== undefined && /^[=:]+$/.test(word);

/** Splits a command line into words. */
function joinedWords(typed: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (const [index, word] of typed.entries()) {
    const joins = index > 0 && (isJoint(word) || isJoint(typed[index - 1]));
    words.push(joins ? `${words.pop()!}${word}` : word);
  }
  return words;
}

/** The part that the shell replaces by the chosen completion. */
function lastPiece(typed: readonly string[]): string {
  const last = typed.at(-1) ?? "";
  return typed.length > 1 && isJoint(last) ? "" : last;
}

/** Returns the words before the last word, and the last word without a joined flag, which `lead` contains. */
function lastWord(words: readonly string[]): { before: readonly string[]; current: string; lead: string } {
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const [flag, ...value] = last.split("=");
  if (!last.startsWith("--") || value.length === 0) return { before, current: last, lead: "" };
  return { before: [...before, flag!], current: value.join("="), lead: `${flag}=` };
}

async function candidates(typed: readonly string[], current: string, context: Context): Promise<readonly string[]> {
  if (typed.at(-1) === "--with") return [files];
  const [name, ...rest] = withFiles(typed).rest;
  const { commands } = context;
  if (name === undefined) {
    if (current.startsWith("-")) return [...flagNames({ ...screenFlags, ...withFlag }), "--help", "--version"];
    return [...commands.map((command) => command.name), ...sessionNames(), folders];
  }
  const command = commands.find((each) => each.name === name);
  if (command === undefined) return isSession(name) ? flagNames(screenFlags) : [];
  if (command.name === "help") return rest.length === 0 ? [...commands.map((each) => each.name), ...topicNames()] : [];
  const flags = { ...withFlag, ...command.flags, ...command.suiteFlags?.(context.suites) };
  const behind = flagBehind(rest, flags);
  const positionals = positionalsOf(rest, flags);
  if (behind !== undefined) return wordsFor(behind, current, positionals, context);
  const own = [...flagNames(flags), "--help"];
  if (current.startsWith("-")) return own;
  const taken = command.takes[positionals.length];
  return taken === undefined ? own : wordsFor(taken, current, positionals, context);
}

const flagNames = (flags: Flags): readonly string[] => Object.keys(flags).map((name) => `--${name}`);

/** Returns the accepted values of the last word if it follows a flag with a value. */
function flagBehind(words: readonly string[], flags: Flags): Taken | undefined {
  const taken = takenBy(words.at(-1) ?? "", flags);
  return taken === "nothing" ? undefined : taken;
}

function takenBy(word: string, flags: Flags): Taken | "nothing" | undefined {
  const name = word.startsWith("--") ? word.slice(2) : "";
  return Object.hasOwn(flags, name) ? flags[name] : undefined;
}

const positionalsOf = (words: readonly string[], flags: Flags): readonly string[] =>
  words.filter((word, index) => {
    const flag = takenBy(words[index - 1] ?? "", flags);
    return !word.startsWith("-") && (flag === undefined || flag === "nothing");
  });

async function wordsFor(
  taken: Taken,
  current: string,
  positionals: readonly string[],
  { suites }: Context,
): Promise<readonly string[]> {
  if (typeof taken === "object") return taken.several === true ? listed(taken.words, current) : taken.words;
  switch (taken) {
    case "text":
      return [];
    case "file":
      return [files];
    case "folder":
      return [folders];
    case "session":
      return [...sessionNames(), folders];
    case "cells":
      return listed(cellsOf(positionals[0]), current);
    case "suite":
      return suites.map(({ name }) => name);
    case "endpoint":
      return (await openSettings()).read().endpoints.map(({ name }) => name);
    case "model":
      return modelNames((await openSettings()).read());
    default:
      return taken satisfies never;
  }
}

/** Returns words that a comma-separated list does not contain yet, each after the words so far. */
function listed(words: readonly string[], current: string): readonly string[] {
  const there = current.split(",").slice(0, -1);
  return words.filter((word) => !there.includes(word)).map((word) => [...there, word].join(","));
}

function cellsOf(session: string | undefined): readonly string[] {
  if (session === undefined || !isSession(session)) return [];
  const { segments } = readSession(savedSession(session).read());
  return segments.flatMap(({ name }) => (name === "" ? [] : [name]));
}
