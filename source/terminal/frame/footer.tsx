/** The two lowest rows: a message or question, and the keys that apply. */
import { useCallback, useSyncExternalStore, type ReactNode } from "react";
import { type Line, type Span, lineWidth } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import type { Binding } from "../input/binding.ts";
import { keyName, keyTable } from "../input/keys.ts";
import type { Keyboard, Layer } from "../input/keyboard.ts";
import { TextRow } from "../drawing/rows.tsx";
import { useTerminal } from "../terminal.ts";

export function Footer({ columns }: { readonly columns: number }): ReactNode {
  const { keyboard } = useTerminal();
  // A string, so that React renders again only if it differs.
  const read = useCallback(() => JSON.stringify(hints(keyboard)), [keyboard]);
  const all = JSON.parse(useSyncExternalStore(keyboard.subscribe, read, read)) as readonly Hint[];
  const line: Span[] = [{ text: " " }];
  const ends: { readonly chord: string; readonly end: number }[] = [];
  for (const hint of shownHints(all, columns)) {
    line.push(...hintSpans(hint, line.length === 1));
    ends.push({ chord: hint.chord, end: lineWidth(line) });
  }
  return <TextRow line={line} columns={columns} click={{ at: press }} />;

  /** A click on a hint presses its key. */
  function press(_line: number, column: number): void {
    const chord = ends.find(({ end }) => column < end)?.chord;
    if (chord !== undefined) keyboard.press(chord.split(" "));
  }
}

const helpKey = keyName("?");

/** These stay if there is little room: back, options and corrections, fork, and help, which lists the rest. */
const keptKeys = [helpKey, ...["esc", "c", "F"].map(keyName)];

/** Returns the hints that fit, with help last. */
function shownHints(all: readonly Hint[], columns: number): readonly Hint[] {
  // The first hint has one blank before it, the others three.
  let room = columns + 2;
  const fits = (hint: Hint) => (room -= lineWidth(hintSpans(hint, false))) >= 0;
  const kept = all.filter(({ name }) => keptKeys.includes(name)).filter(fits);
  const others = all.filter((hint) => !kept.includes(hint));
  const until = others.findIndex((hint) => !fits(hint));
  const shown = new Set([...kept, ...(until < 0 ? others : others.slice(0, until))]);
  const isHelp = ({ name }: Hint) => name === helpKey;
  return [...all.filter((hint) => !isHelp(hint)), ...all.filter(isHelp)].filter((hint) => shown.has(hint));
}

const hintSpans = ({ name, title }: Hint, isFirst: boolean): Span[] => [
  { text: `${isFirst ? "" : "   "}${name}`, style: "strong" },
  { text: ` ${title}`, style: "faint" },
];

/** The name of a key, its effect, and its chord. */
type Hint = { readonly name: string; readonly title: string; readonly chord: string };

function hints(keyboard: Keyboard): readonly Hint[] {
  const top = keyboard.top();
  const base = keyboard.base();
  const layers =
    top === undefined ? [] : top.text === undefined && base !== undefined && base !== top ? [top, base] : [top];
  const shown = layers.flatMap((layer) => keyTable[layer.scope].filter((binding) => isShown(binding, layer)));
  shown.sort((one, other) => one.footer! - other.footer!);
  return shown.map(({ keys, title, short = title }) => ({ name: keyName(keys[0]!), title: short, chord: keys[0]! }));
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
    return [{ text: ` ${printable(notice.text)}`, style: notice.tone }];
  }
}
