/** The last row: a question, a message or the current activity, and the available keys. */
import { useCallback, useSyncExternalStore, type ReactNode } from "react";
import { fitLine, type Line, type Span, type Style, lineWidth } from "../../engine/figures/drawing/line.ts";
import { fit, printable } from "../../engine/text/printable.ts";
import type { Binding } from "../input/binding.ts";
import { keyName, keyTable } from "../input/keys.ts";
import type { Keyboard, Layer } from "../input/keyboard.ts";
import { TextRow } from "../drawing/rows.tsx";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { useRead, useTerminal } from "../terminal.ts";
import { type RunFacts, runFacts } from "./run-facts.ts";

export function StatusLine({ columns }: { readonly columns: number }): ReactNode {
  const { keyboard } = useTerminal();
  // A string, so that React renders again only if it differs.
  const read = useCallback(() => JSON.stringify(hints(keyboard)), [keyboard]);
  const all = JSON.parse(useSyncExternalStore(keyboard.subscribe, read, read)) as readonly Hint[];
  const { said: first, facts, isQuestion } = useSaid(columns);
  const shown = isQuestion ? [] : shownHints(all, columns - lineWidth(first) - (first.length === 0 ? 0 : gap));
  const keys: Span[] = [];
  const ends: { readonly chord: string; readonly end: number }[] = [];
  for (const hint of shown) {
    keys.push(...hintSpans(hint, keys.length === 0));
    ends.push({ chord: hint.chord, end: lineWidth(keys) });
  }
  const said = [...first, ...packedFacts(facts, columns - lineWidth(first) - lineWidth(keys) - gap - 1)];
  const before = lineWidth(said);
  // Without a message, the keys begin the line; else they end it, so that they do not move while numbers change.
  const left = before === 0 ? 1 : Math.max(1, columns - before - lineWidth(keys) - 1);
  return <TextRow line={[...said, { text: " ".repeat(left) }, ...keys]} columns={columns} click={{ at: press }} />;

  /** A click on a hint presses its key. */
  function press(_line: number, column: number): void {
    const chord = ends.find(({ end }) => column - before - left < end)?.chord;
    if (chord !== undefined && column >= before) keyboard.press(chord.split(" "));
  }
}

/** Fewest blanks between the message and the keys. */
const gap = 3;
/** The four most likely keys, back and help. */
const mostHints = 6;
const helpKey = keyName("?");
/** Hints that stay if there is little room: options and corrections, fork, back and help. */
const keptKeys = [...["c", "F", "esc"].map(keyName), helpKey];

/** Returns the hints that fit, with help last. */
function shownHints(all: readonly Hint[], columns: number): readonly Hint[] {
  // The first hint has one blank before it, the others three.
  let room = columns + 2;
  const fits = (hint: Hint) => (room -= lineWidth(hintSpans(hint, false))) >= 0;
  const kept = all.filter(({ name }) => keptKeys.includes(name)).filter(fits);
  const others = all.filter((hint) => !kept.includes(hint)).slice(0, Math.max(0, mostHints - kept.length));
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

/** `facts` follow if the keys leave room. */
type Said = { readonly said: Line; readonly facts: readonly string[]; readonly isQuestion: boolean };

/** Returns the question, the message, the keys pressed so far, or the active runs. */
function useSaid(columns: number): Said {
  const { notices, keyboard, theme } = useTerminal();
  const notice = useSyncExternalStore(notices.subscribe, notices.current, notices.current);
  const question = useSyncExternalStore(notices.subscribe, notices.question, notices.question);
  const pending = useSyncExternalStore(keyboard.subscribe, keyboard.pending, keyboard.pending);
  const { running } = theme.symbols;
  const read = useCallback((workbench: Workbench) => JSON.stringify(runFacts(workbench, running)), [running]);
  const { warning, facts } = JSON.parse(useRead(true, read)) as RunFacts;
  if (question !== undefined) {
    const keys = question.save === undefined ? "y/n" : "s saves first, y/n";
    return {
      isQuestion: true,
      facts: [],
      said: [
        { text: ` ${fit(printable(question.text), columns - keys.length - 3)} `, style: "warn" },
        { text: keys, style: "strong" },
      ],
    };
  }
  const alone = (text: string, style: Style): Said => ({
    isQuestion: false,
    facts: [],
    said: fitLine([{ text: ` ${text}`, style }], columns),
  });
  if (pending !== "") return alone(keyName(pending), "accent");
  if (notice !== undefined) return alone(printable(notice.text), notice.tone);
  if (warning !== undefined) return alone(warning, "warn");
  const [first, ...rest] = facts;
  return first === undefined ? { isQuestion: false, facts: [], said: [] } : { ...alone(first, "accent"), facts: rest };
}

/** Returns as many facts as fit. */
function packedFacts(facts: readonly string[], room: number): Line {
  const line: Span[] = [];
  for (const fact of facts) {
    const span: Span = { text: `   ${printable(fact)}`, style: "faint" };
    if (lineWidth([...line, span]) > room) break;
    line.push(span);
  }
  return line;
}
