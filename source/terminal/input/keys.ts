/** The key table: every command of every screen. The footer, help, the palette and the README are made from it. */
import type { Binding } from "./binding.ts";
import { besideKeys, compareKeys } from "./keys/compare.ts";
import { choiceKeys, shortListKeys, paletteKeys } from "./keys/choices.ts";
import { editorKeys, lineKeys } from "./keys/text.ts";
import { everywhereKeys, questionKeys, readingKeys } from "./keys/everywhere.ts";
import { figureKeys } from "./keys/figure.ts";
import { forkKeys, formKeys } from "./keys/form.ts";
import { liveKeys } from "./keys/live.ts";
import { notebookKeys } from "./keys/notebook.ts";
import { searchKeys, taskKeys } from "./keys/tasks.ts";
import { trajectoryKeys } from "./keys/trajectory.ts";

/** The title and the keys of each scope, ordered as help lists them. */
const scopes = {
  notebook: ["Notebook", notebookKeys],
  editor: ["Editing a cell", editorKeys],
  figure: ["Figure", figureKeys],
  form: ["Set-up form", formKeys],
  choices: ["Lists over a screen", choiceKeys],
  "short-list": ["Short lists over a screen", shortListKeys],
  line: ["Text fields", lineKeys],
  live: ["Live", liveKeys],
  tasks: ["List of tasks", taskKeys],
  search: ["Searching tasks", searchKeys],
  trajectory: ["Trajectory", trajectoryKeys],
  fork: ["Fork", forkKeys],
  compare: ["Two runs compared", compareKeys],
  beside: ["A task in two runs", besideKeys],
  text: ["Help and long texts", readingKeys],
  palette: ["Commands", paletteKeys],
  question: ["Questions", questionKeys],
  everywhere: ["Everywhere", everywhereKeys],
} as const satisfies Readonly<Record<string, readonly [string, readonly Binding[]]>>;

/** The screens, and what can lie over them, in which keys apply. */
export type Scope = keyof typeof scopes;

export const keyTable = Object.fromEntries(
  Object.entries(scopes).map(([scope, [, bindings]]): [string, readonly Binding[]] => [scope, bindings]),
) as Readonly<Record<Scope, readonly Binding[]>>;

type BindingOf<S extends Scope> = (typeof scopes)[S][1][number];

/** The names of all commands with keys in this scope. */
export type CommandOf<S extends Scope> = BindingOf<S>["command"];

type OptionalCommandOf<S extends Scope> = Extract<BindingOf<S>, { readonly optional: true }>["command"];

/** `keys` are the pressed ones, for commands whose keys differ in meaning. */
type Handler = (keys: string) => void;

/** A handler for every command of this scope. */
export type Commands<S extends Scope> = Readonly<
  Record<Exclude<CommandOf<S>, OptionalCommandOf<S>>, Handler> & Partial<Record<OptionalCommandOf<S>, Handler>>
>;

export type KeyGroup = { readonly scope: Scope; readonly title: string; readonly bindings: readonly Binding[] };

/** Returns all bindings by scope, in help's order, with the given scope first. */
export function keyGroups(first?: Scope): readonly KeyGroup[] {
  const all = Object.keys(scopes) as Scope[];
  const ordered = first === undefined ? all : [first, ...all.filter((scope) => scope !== first)];
  return ordered.map((scope) => ({ scope, title: scopes[scope][0], bindings: keyTable[scope] }));
}

const namedKeys = ["Enter", "Esc", "Space", "Tab", "Up", "Down", "Left", "Right", "PageUp", "PageDown", "Home", "End"];
const keyNames = new Map(
  [...namedKeys, "Backspace", "Delete", "Ctrl", "Shift", "Alt"].map((name) => [name.toLowerCase(), name]),
);

/** Returns a chord or sequence as it is shown: `Shift+Enter` for `shift+enter`, `dd` for `d d`. */
export function keyName(keys: string): string {
  return keys
    .split(" ")
    .map((chord) => (chord === "+" ? "+" : chord.split("+").map(chordName).join("+")))
    .join("");
}

function chordName(part: string, _index: number, parts: readonly string[]): string {
  return keyNames.get(part) ?? (parts.length > 1 ? part.toUpperCase() : part);
}

/**
 * Returns the footers as a Markdown table for the README, with a row for each scope that has more than a way back. Help
 * lists all keys.
 */
export function keySummary(): string {
  const rows = keyGroups()
    .filter(({ scope }) => scope !== "palette" && scope !== "question")
    .flatMap(({ title, bindings }) => {
      const shown = bindings
        .filter(({ footer }) => footer !== undefined)
        .toSorted((one, other) => one.footer! - other.footer!);
      const keys = shown.map(
        (binding) => `\`${keyName(binding.keys[0]!)}\` ${binding.short ?? binding.title.toLowerCase()}`,
      );
      return keys.length < 2 ? [] : [`| ${title} | ${keys.join(", ")} |`];
    });
  return `${["| Screen | Keys |", "|---|---|", ...rows].join("\n")}\n`;
}
