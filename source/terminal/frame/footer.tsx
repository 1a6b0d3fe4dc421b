/** The two lowest rows: a message or question, and the keys that can be used here. */
import { useCallback, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import { lineWidth } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import type { Binding } from "../input/binding.ts";
import { keyName, keyTable } from "../input/keys.ts";
import type { Keyboard, Layer } from "../input/keyboard.ts";
import { TextRow } from "../drawing/rows.tsx";
import { useTerminal } from "../terminal.ts";

export function Footer({ columns }: { readonly columns: number }): ReactNode {
  const { keyboard } = useTerminal();
  // A string, so that React draws again only when it differs.
  const read = useCallback(
    () =>
      hints(keyboard)
        .map((hint) => hint.join("\t"))
        .join("\n"),
    [keyboard],
  );
  const text = useSyncExternalStore(keyboard.subscribe, read, read);
  const line: Span[] = [{ text: " " }];
  const ends: { readonly chord: string; readonly end: number }[] = [];
  const all = text.split("\n").map((hint) => hint.split("\t"));
  for (const hint of shownHints(all, columns)) add(hint);
  return <TextRow line={line} columns={columns} click={{ at: press }} />;

  function add(hint: readonly string[]): void {
    line.push(...hintSpans(hint, line.length === 1));
    ends.push({ chord: hint[2] ?? "", end: lineWidth(line) });
  }

  /** A click on a hint is a press of its key. */
  function press(_line: number, column: number): void {
    const chord = ends.find(({ end }) => column < end)?.chord;
    if (chord !== undefined) keyboard.press(chord.split(" "));
  }
}

const helpKey = keyName("?");

/** These stay where there is little room: the way out, what changes the figure or the score, a fork, and help, which lists the rest. */
const keptKeys = [helpKey, ...["esc", "c", "F"].map(keyName)];

/** Those there is room for, help last. */
function shownHints(all: readonly (readonly string[])[], columns: number): readonly (readonly string[])[] {
  // One blank before the first, where others have three.
  let room = columns + 2;
  const fits = (hint: readonly string[]) => (room -= lineWidth(hintSpans(hint, false))) >= 0;
  const kept = all.filter(([key = ""]) => keptKeys.includes(key)).filter(fits);
  const others = all.filter((hint) => !kept.includes(hint));
  const until = others.findIndex((hint) => !fits(hint));
  const shown = new Set([...kept, ...(until < 0 ? others : others.slice(0, until))]);
  const isHelp = ([keys]: readonly string[]) => keys === helpKey;
  return [...all.filter((hint) => !isHelp(hint)), ...all.filter(isHelp)].filter((hint) => shown.has(hint));
}

function hintSpans([keys = "", title = ""]: readonly string[], isFirst: boolean): Span[] {
  return [
    { text: `${isFirst ? "" : "   "}${keys}`, style: "strong" },
    { text: ` ${title}`, style: "faint" },
  ];
}

/** Name of the key, what it does, and its chords. */
function hints(keyboard: Keyboard): [string, string, string][] {
  const top = keyboard.top();
  const base = keyboard.base();
  const layers =
    top === undefined ? [] : top.text === undefined && base !== undefined && base !== top ? [top, base] : [top];
  const shown = layers.flatMap((layer) => keyTable[layer.scope].filter((binding) => isShown(binding, layer)));
  shown.sort((one, other) => one.footer! - other.footer!);
  return shown.map((binding) => [keyName(binding.keys[0]!), binding.short ?? binding.title, binding.keys[0]!]);
}

function isShown(binding: Binding, layer: Layer): boolean {
  if (binding.footer === undefined || layer.commands[binding.command] === undefined) return false;
  return binding.disabled?.(layer.context()) === undefined;
}

export function MessageLine({ columns }: { readonly columns: number }): ReactNode {
  const { notices, keyboard } = useTerminal();
  const notice = useSyncExternalStore(notices.subscribe, notices.current, notices.current);
  const question = useSyncExternalStore(notices.subscribe, notices.question, notices.question);
  const pending = useSyncExternalStore(keyboard.subscribe, keyboard.pending, keyboard.pending);
  return <TextRow line={message()} columns={columns} />;

  function message(): Line {
    if (question !== undefined)
      return [
        { text: ` ${printable(question.text)} `, style: "warn" },
        { text: question.save === undefined ? "y/n" : "s saves first, y/n", style: "strong" },
      ];
    if (pending !== "") return [{ text: ` ${keyName(pending)}`, style: "accent" }];
    if (notice === undefined) return [];
    const style = notice.tone === "plain" ? "plain" : notice.tone;
    return [{ text: ` ${printable(notice.text)}`, style }];
  }
}
