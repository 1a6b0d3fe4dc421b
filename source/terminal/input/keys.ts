/** The table of keys: every command of every screen. Footer, help, palette and the printed reference come from here. */
import type { Binding, Scope } from "./binding.ts";
import { compareKeys } from "./keys/compare.ts";
import { editorKeys } from "./keys/editor.ts";
import { figureKeys } from "./keys/figure.ts";
import { forkKeys } from "./keys/fork.ts";
import { choiceKeys, formKeys } from "./keys/form.ts";
import { lineKeys } from "./keys/line.ts";
import { liveKeys } from "./keys/live.ts";
import { backKeys, listKeys } from "./keys/movement.ts";
import { notebookKeys } from "./keys/notebook.ts";
import { taskKeys } from "./keys/tasks.ts";
import { trajectoryKeys } from "./keys/trajectory.ts";

const everywhere = "everywhere" as const;
const palette = "palette" as const;

export const keyTable: readonly Binding[] = [
  { scope: everywhere, keys: ["ctrl+p", ":"], command: "palette", title: "All commands", short: "commands", footer: 7 },
  { scope: everywhere, keys: ["?"], command: "help", title: "Help", short: "help", footer: 8 },
  { scope: everywhere, keys: ["ctrl+l"], command: "redraw", title: "Draw the screen again" },
  {
    scope: everywhere,
    keys: ["ctrl+c"],
    command: "interrupt",
    title: "Quit; asks first while something runs or is unsaved",
  },
  ...notebookKeys,
  ...editorKeys,
  ...figureKeys,
  ...formKeys,
  ...choiceKeys,
  ...lineKeys,
  ...liveKeys,
  ...taskKeys,
  ...trajectoryKeys,
  ...forkKeys,
  ...compareKeys,
  ...listKeys("text"),
  ...backKeys("text"),
  { scope: palette, keys: ["down", "ctrl+n"], command: "down", title: "Down" },
  { scope: palette, keys: ["up"], command: "up", title: "Up" },
  { scope: palette, keys: ["enter"], command: "take", title: "Do it", short: "do it", footer: 1 },
  { scope: palette, keys: ["backspace"], command: "erase", title: "Erase a letter" },
  { scope: palette, keys: ["esc", "ctrl+p"], command: "back", title: "Back", short: "back", footer: 2 },
  { scope: "question", keys: ["y", "Y"], command: "yes", title: "Yes", short: "yes", footer: 1 },
  { scope: "question", keys: ["n", "N", "esc"], command: "no", title: "No", short: "no", footer: 2 },
];

const scopeTitles: Readonly<Record<Scope, string>> = {
  notebook: "Notebook",
  editor: "Editing a cell",
  figure: "Figure",
  form: "Set-up form",
  choices: "Lists over a screen",
  line: "A line to be typed",
  live: "Live",
  tasks: "List of tasks",
  trajectory: "Trajectory",
  fork: "Fork",
  compare: "Two runs compared",
  text: "Help and long texts",
  palette: "Commands",
  question: "Questions",
  everywhere: "Everywhere",
};

export type KeyGroup = { readonly scope: Scope; readonly title: string; readonly bindings: readonly Binding[] };

/** All bindings by screen, in the order help shows them; the given screen first. */
export function keyGroups(first?: Scope): readonly KeyGroup[] {
  const scopes = Object.keys(scopeTitles) as Scope[];
  const ordered = first === undefined ? scopes : [first, ...scopes.filter((scope) => scope !== first)];
  return ordered.map((scope) => ({
    scope,
    title: scopeTitles[scope],
    bindings: keyTable.filter((binding) => binding.scope === scope),
  }));
}

const keyNames: Readonly<Record<string, string>> = {
  enter: "Enter",
  esc: "Esc",
  space: "Space",
  tab: "Tab",
  up: "Up",
  down: "Down",
  left: "Left",
  right: "Right",
  pageup: "PageUp",
  pagedown: "PageDown",
  home: "Home",
  end: "End",
  backspace: "Backspace",
  delete: "Delete",
  ctrl: "Ctrl",
  shift: "Shift",
  alt: "Alt",
};

/** A chord or sequence as a person reads it: `shift+enter` as `Shift+Enter`, `d d` as `dd`. */
export function keyName(keys: string): string {
  return keys
    .split(" ")
    .map((chord) => (chord === "+" ? "+" : chord.split("+").map(chordName).join("+")))
    .join("");
}

function chordName(part: string, _index: number, parts: readonly string[]): string {
  return keyNames[part] ?? (parts.length > 1 ? part.toUpperCase() : part);
}

/** The keys a footer shows, a row for each screen that has more than a way back, as Markdown for the README: help has them all. */
export function keySummary(): string {
  const rows = keyGroups()
    .filter(({ scope }) => scope !== "palette" && scope !== "question")
    .flatMap(({ title, bindings }) => {
      const shown = bindings
        .filter(({ footer }) => footer !== undefined)
        .sort((one, other) => one.footer! - other.footer!);
      const keys = shown.map(
        (binding) => `\`${keyName(binding.keys[0]!)}\` ${binding.short ?? binding.title.toLowerCase()}`,
      );
      return keys.length < 2 ? [] : [`| ${title} | ${keys.join(", ")} |`];
    });
  return `${["| Where | Keys |", "|---|---|", ...rows].join("\n")}\n`;
}
