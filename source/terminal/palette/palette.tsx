/** All commands of the current screen, filtered by typing. */
import { Box } from "ink";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { pad, printable } from "../../engine/text/printable.ts";
import { fuzzy } from "../input/fuzzy.ts";
import { keyName, keyTable } from "../input/keys.ts";
import type { Keyboard, Layer } from "../input/keyboard.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { useTerminal } from "../terminal.ts";
import { useLayer } from "../input/use-layer.ts";

type Entry = {
  readonly title: string;
  readonly keys: string;
  /** Why it cannot be used now. */
  readonly reason: string | undefined;
  readonly perform: () => void;
};

type Props = { readonly width: number; readonly height: number; readonly close: () => void };

export function Palette({ width, height, close }: Props): ReactNode {
  const { keyboard, theme, notices } = useTerminal();
  const [entries] = useState(() => paletteEntries(keyboard));
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const found = entries
    .map((entry) => ({ entry, cost: fuzzy(typed, entry.title) }))
    .filter(({ cost }) => cost !== undefined)
    .sort((one, other) => (typed === "" ? 0 : one.cost! - other.cost!))
    .map(({ entry }) => entry);
  const here = Math.max(0, Math.min(at, found.length - 1));
  const type = (text: string) => {
    setTyped(text);
    setAt(0);
  };
  useLayer(true, {
    scope: "palette",
    commands: {
      down: () => setAt(Math.min(here + 1, found.length - 1)),
      up: () => setAt(Math.max(0, here - 1)),
      erase: () => type(typed.slice(0, -1)),
      back: close,
      accept() {
        const entry = found[here];
        close();
        if (entry === undefined) notices.say("No command matches", "bad");
        else entry.perform();
      },
    },
    text: (text) => type(typed + text),
    paste: (text) => type(typed + (text.split(/[\r\n]/)[0] ?? "")),
    otherwise: () => {},
  });
  const room = height - 2;
  const from = Math.max(0, Math.min(here - (room >> 1), found.length - room));
  const side = Math.min(60, width - 20);
  const lines = found.slice(from, from + room).map((entry, index): Line => {
    const chosen = from + index === here;
    return [
      { text: chosen ? ` ${theme.symbols.pointer} ` : "   ", style: "accent" },
      {
        text: pad(printable(entry.title), side),
        style: entry.reason === undefined ? (chosen ? "strong" : "plain") : "faint",
      },
      { text: `  ${entry.keys}`, style: "code" },
      { text: entry.reason === undefined ? "" : `  ${printable(entry.reason)}`, style: "faint" },
    ];
  });
  const prompt: Line = [
    { text: " : ", style: "accent" },
    { text: printable(typed) },
    { text: theme.ascii ? "_" : "▏" },
  ];
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <TextRow line={prompt} columns={width} />
      <TextRow line={[{ text: theme.symbols.rule.repeat(width), style: "rule" }]} columns={width} />
      <Rows
        lines={lines.length === 0 ? [[{ text: "   no command matches", style: "faint" }]] : lines}
        columns={width}
        height={room}
      />
    </Box>
  );
}

/** The commands of the screen and of `everywhere`, then what the screen adds. Commands that only move the cursor, or are told by their key what to do, are left out. */
function paletteEntries(keyboard: Keyboard): Entry[] {
  const layers = [keyboard.top(), keyboard.base()].filter((layer) => layer !== undefined);
  const entries = [...new Set(layers)].flatMap((layer) => layerEntries(keyboard, layer));
  const extra = keyboard.top()?.extra?.() ?? [];
  return [...entries, ...extra.map((each) => ({ ...each, keys: each.keys.map(keyName).join(" "), reason: undefined }))];
}

const keysOnly = new Set(["up", "down", "left", "right", "first", "last", "page-up", "page-down", "number", "palette"]);

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
