/** All commands, filtered by typing: usable commands first, then unusable commands in grey; in a wide window in two columns. */
import { Box } from "ink";
import { useState, type ReactNode } from "react";
import { type Line, styled } from "../../engine/figures/drawing/line.ts";
import { pad, printable, width as textWidth } from "../../engine/text/printable.ts";
import { fuzzy, hasWords } from "../input/choice-list.tsx";
import { keyGroups, keyName, keyTable, type Scope } from "../input/keys.ts";
import type { Keyboard, Layer } from "../input/keyboard.ts";
import { bufferText, insertText, openBuffer, type TextBuffer, textCommands } from "../editor/text-buffer.ts";
import { abreast } from "../drawing/abreast.ts";
import type { Theme } from "../drawing/theme.ts";
import { clicks } from "../frame/clicks.ts";
import { between, isWide } from "../frame/panes.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { type Terminal, useTerminal, useLayer } from "../terminal.ts";
import { leftRightKeys, listKeys } from "../input/movement.ts";

type Entry = {
  readonly title: string;
  readonly keys: string;
  /** The reason why it cannot be used now. */
  readonly reason: string | undefined;
  readonly perform: () => void;
};

type Props = { readonly width: number; readonly height: number; readonly close: () => void };

export function Palette({ width, height, close }: Props): ReactNode {
  const terminal = useTerminal();
  const { theme } = terminal;
  const [entries] = useState(() => paletteEntries(terminal));
  const [buffer, setBuffer] = useState(() => openBuffer(""));
  const typed = bufferText(buffer);
  const [at, setAt] = useState(0);
  const found = matching(entries, typed);
  const here = Math.max(0, Math.min(at, found.length - 1));
  const type = (next: TextBuffer) => {
    setBuffer(next);
    setAt(0);
  };
  useLayer(true, {
    scope: "palette",
    commands: {
      down: () => setAt(Math.min(here + 1, found.length - 1)),
      up: () => setAt(Math.max(0, here - 1)),
      ...textCommands(buffer, setBuffer, type),
      back: close,
      accept() {
        const entry = found[here];
        close();
        if (entry === undefined) terminal.notices.say("No command matches", "bad");
        else entry.perform();
      },
    },
    text: (text) => type(insertText(buffer, text)),
    paste: (text) => type(insertText(buffer, text.split(/[\r\n]/)[0] ?? "")),
    otherwise: () => {},
  });
  const prompt: Line = [
    { text: " : ", style: "accent" },
    { text: printable(bufferText(insertText(buffer, theme.symbols.caret))) },
  ];
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <TextRow line={prompt} columns={width} />
      <TextRow line={[{ text: theme.symbols.rule.repeat(width), style: "rule" }]} columns={width} />
      {entryRows(terminal, found, here, setAt, width, height - 3)}
      <TextRow line={wholeLine(found[here])} columns={width} />
    </Box>
  );
}

/** Draws the entries around the cursor, in a wide window in two columns. */
function entryRows(
  terminal: Terminal,
  entries: readonly Entry[],
  here: number,
  go: (at: number) => void,
  columns: number,
  rows: number,
): ReactNode {
  const parts = isWide(columns) ? 2 : 1;
  const own = Math.floor((columns - between * (parts - 1)) / parts);
  const from = Math.max(0, Math.min(here - ((rows * parts) >> 1), entries.length - rows * parts));
  const seen = entries.slice(from, from + rows * parts);
  const widest = Math.max(0, ...seen.map(({ title }) => textWidth(printable(title))));
  const side = Math.min(60, widest, own - 20);
  const lines = seen.map((entry, index) => entryLine(entry, from + index === here, side, terminal.theme));
  const beside = Array.from({ length: parts }, (_, part) => lines.slice(part * rows, (part + 1) * rows));
  const shown = abreast(beside, () => own, between);
  const entryAt = (line: number, column: number) => {
    const entry = from + line + Math.min(parts - 1, Math.floor(column / (own + between))) * rows;
    return entry < entries.length ? entry : undefined;
  };
  return (
    <Rows
      lines={shown.length === 0 ? [styled("faint", "   no command matches")] : shown}
      columns={columns}
      height={rows}
      click={clicks("palette", terminal, entryAt, here, go)}
    />
  );
}

const entryLine = ({ title, keys, reason }: Entry, chosen: boolean, side: number, { symbols }: Theme): Line => [
  { text: chosen ? ` ${symbols.pointer} ` : "   ", style: "accent" },
  { text: pad(printable(title), side), style: reason === undefined ? (chosen ? "strong" : "plain") : "faint" },
  { text: `  ${keys}`, style: "accent" },
  { text: reason === undefined ? "" : `  ${printable(reason)}`, style: "faint" },
];

/** Returns the reason of the current entry in full, because its line may be truncated. */
function wholeLine(entry: Entry | undefined): Line {
  if (entry?.reason === undefined) return [];
  return [{ text: ` ${printable(entry.reason)}`, style: "warn" }];
}

/** Returns the entries that contain the words, or, if none does, those that contain the letters. Usable entries come first. */
function matching(entries: readonly Entry[], typed: string): readonly Entry[] {
  const found = entries.flatMap((entry) => {
    const cost = fuzzy(typed, entry.title);
    return cost === undefined ? [] : [{ entry, cost, isUnusable: entry.reason !== undefined }];
  });
  const worded = found.filter(({ entry }) => hasWords(typed, entry.title));
  return (worded.length > 0 ? worded : found)
    .toSorted((one, other) => Number(one.isUnusable) - Number(other.isUnusable) || one.cost - other.cost)
    .map(({ entry }) => entry);
}

/**
 * Returns the commands of the screen and of `everywhere`, then the screen's own entries, then the commands of other screens with
 * only the names of their screens. Commands that only move the cursor, or depend on the pressed key, are omitted.
 */
function paletteEntries(terminal: Terminal): Entry[] {
  const { keyboard } = terminal;
  const layers = [keyboard.top(), keyboard.base()].filter((layer) => layer !== undefined);
  const entries = [...new Set(layers)].flatMap((layer) => layerEntries(keyboard, layer));
  const extra = keyboard.top()?.extra?.() ?? [];
  return [
    ...entries,
    ...extra.map((each) => ({ ...each, keys: each.keys.map(keyName).join(" "), reason: undefined })),
    ...elsewhereEntries(terminal, new Set(entries.map(({ title }) => title))),
  ];
}

/** Layers over a screen have no commands that the palette lists. */
const screens = new Set<Scope>([
  "notebook",
  "figure",
  "form",
  "live",
  "tasks",
  "trajectory",
  "fork",
  "compare",
  "beside",
]);

/** Returns the commands of other screens, each once, with the names of their screens. */
function elsewhereEntries({ notices }: Terminal, known: ReadonlySet<string>): Entry[] {
  const found = keyGroups().flatMap(({ scope, title: screen, bindings }) =>
    screens.has(scope)
      ? bindings.flatMap(({ command, title, keys }) =>
          keysOnly.has(command) || command === "back" || known.has(title) ? [] : [{ title, keys, screen }],
        )
      : [],
  );
  return [...Map.groupBy(found, ({ title }) => title)].map(([title, all]): Entry => {
    const reason = `Only in: ${all.map(({ screen }) => screen).join(", ")}`;
    const keys = all[0]!.keys.map(keyName).join(" ");
    return { title, keys, reason, perform: () => notices.say(reason, "bad") };
  });
}

const keysOnly: ReadonlySet<string> = new Set<string>(
  [...listKeys, ...leftRightKeys].map(({ command }) => command),
).union(new Set(["lines-down", "lines-up", "number", "next-analysis", "previous-analysis", "palette"]));

function layerEntries(keyboard: Keyboard, layer: Layer): Entry[] {
  const bindings = keyTable[layer.scope].filter(
    ({ command }) => layer.commands[command] !== undefined && !keysOnly.has(command),
  );
  return bindings.map((binding) => ({
    title: binding.title,
    keys: binding.keys.map(keyName).join(" "),
    reason: binding.disabled?.(layer.context()),
    perform: () => keyboard.perform(layer.scope, binding.command),
  }));
}
