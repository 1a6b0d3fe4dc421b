/** A list over the lower part of a screen: a short list, or a list that typing filters; Space marks if several may be chosen. */
import { type Dispatch, type ReactNode, type SetStateAction, use, useEffect, useState } from "react";
import { fit, fitMiddle, printable, width, pad } from "../../engine/text/printable.ts";
import { fitLine, type Line, lineWidth, type Span, styled } from "../../engine/figures/drawing/line.ts";
import type { Theme } from "../drawing/theme.ts";
import { typedLine } from "../editor/editor-lines.ts";
import { bufferText, insertText, openBuffer, type TextBuffer, textCommands } from "../editor/text-buffer.ts";
import { Panel, Rows, TextRow } from "../drawing/rows.tsx";
import { clicks } from "../frame/clicks.ts";
import { useTerminal, useTheme, useLayer } from "../terminal.ts";
import { EventEmitter } from "node:events";
import SelectInput from "ink-select-input";
import StdinContext from "ink-stdin-context";
import type { Clickable } from "../painting/surface.ts";
import { listMoves } from "./movement.ts";

type ChoiceListProps = {
  readonly title: string;
  /** True if a frame around the list has its title. */
  readonly isFramed?: boolean | undefined;
  /** Explains the choice in a separate row. */
  readonly about?: string | undefined;
  readonly choices: readonly Choice[];
  /** The current values; more than one only if `several` is set. */
  readonly taken: readonly string[];
  /** The default, on which the cursor starts if no value is chosen. */
  readonly standard?: string;
  readonly several?: boolean;
  /** Several values may be typed at once, separated by commas. */
  readonly commas?: boolean;
  /** True if the user did not choose the current values, so that the first marked value replaces them. */
  readonly provisional?: boolean;
  /**
   * Set if typed text that is not a choice is accepted, such as a model that no list contains. Returns the problem with the text.
   */
  readonly free?: (text: string) => string | undefined;
  /** Asks the user a further question about a value before it is chosen; absent if no value needs one. */
  readonly remark?: (value: string) => void;
  /** The state of the list and its setter, if it must outlive the list; if absent, the list keeps it. */
  readonly state?: readonly [ListState, Dispatch<SetStateAction<ListState>>];
  readonly columns: number;
  readonly height: number;
  readonly take: (values: readonly string[]) => void;
  readonly back: () => void;
};

/** What a user has done in a list that typing filters. */
export type ListState = {
  readonly buffer: TextBuffer;
  /** Absent until a mark is changed: the present values. */
  readonly marked?: readonly string[];
  /** True once the user has changed a mark. */
  readonly touched: boolean;
};

export const listState = (): ListState => ({ buffer: openBuffer(""), touched: false });

/** Limit of typed characters, enough for a name, a number or a path. */
const longest = 1_000;
/** A number, or several: if the text is a valid value itself, it precedes the choices that contain it. */
const number = /^\d[\d., ]*$/;

/** Returns the rows of a list: half of the window, or more if that shows a whole short list. */
export const listRows = (choices: readonly Choice[], height: number): number =>
  Math.min(height - 4, Math.max(8, height >> 1, Math.min(choices.length, mostShort) + headingRows));

/** Rows above the choices: a rule, the title and its explanation. */
const headingRows = 3;

/** A list to choose from, and what happens with the chosen value. */
export type ListRequest = Pick<ChoiceListProps, "title" | "about" | "choices" | "taken" | "free"> & {
  readonly answer: (value: string) => void;
};

type AskedChoiceProps = Pick<ChoiceListProps, "columns" | "height" | "isFramed"> & {
  readonly asking: ListRequest;
  readonly close: () => void;
};

/** Shows the requested list, and closes it before answering, because the answer may open another list. */
export const AskedChoice = ({ asking, columns, height, isFramed, close }: AskedChoiceProps): ReactNode => (
  <ChoiceList
    {...asking}
    columns={columns}
    height={height}
    isFramed={isFramed}
    back={close}
    take={([value]) => {
      close();
      if (value !== undefined) asking.answer(value);
    }}
  />
);

/**
 * Shows a short list if one of a few choices is requested, none can be typed and there is room for all; otherwise a list that
 * typing filters. The cursor keeps its choice when a window gets or loses that room.
 */
export function ChoiceList(props: ChoiceListProps): ReactNode {
  const { choices, taken, standard, several = false, free, height } = props;
  const [here, setHere] = useState<string>();
  // A frame around the list has its title.
  const title = props.isFramed === true ? "" : props.title;
  const placed = { ...props, title, on: here ?? taken[0] ?? standard, moved: setHere };
  const isShort = choices.length > 0 && choices.length <= Math.min(mostShort, height - headingRows);
  return several || free !== undefined || !isShort ? <FilteredList {...placed} /> : <ShortList {...placed} />;
}

/** The cursor starts on the value `on`; `moved` receives the value it moves to. */
type Placed = ChoiceListProps & {
  readonly on: string | undefined;
  readonly moved: (value: string | undefined) => void;
};

const startOf = (choices: readonly Choice[], on: string | undefined): number =>
  Math.max(
    0,
    choices.findIndex(({ value }) => value === on),
  );

function FilteredList(props: Placed): ReactNode {
  const { title, about, columns, height } = props;
  const terminal = useTerminal();
  const room = Math.max(1, height - (about === undefined ? 2 : 3));
  const list = useFiltered(props);
  const { shown, here, setAt } = list;
  useFilterKeys(props, list, room);
  const from = Math.max(0, Math.min(here - (room >> 1), shown.length - room));
  const rows = shown.slice(from, from + room);
  const titles = titleWidth(rows);
  const lines = rows.map((choice, index): Line => {
    const isSelected = from + index === here;
    const text = choiceText(choice, signOf(choice.value, list.marked, props.several), titles);
    return [
      { text: isSelected ? ` ${terminal.theme.symbols.pointer} ` : "   ", style: "accent" },
      ...choiceLine(text, choice.faint, isSelected),
    ];
  });
  return (
    <Panel {...panelOf(props)} heading={headingOf(title, list, columns, terminal.theme)}>
      <Rows
        lines={lines}
        columns={columns}
        height={room}
        click={clicks("choices", terminal, (line) => from + line, here, setAt)}
      />
    </Panel>
  );
}

const panelOf = ({ about, columns, height, isFramed }: Placed) => ({ about, columns, height, isFramed });

type Filtered = ReturnType<typeof useFiltered>;

/** Keeps the filter, the matching choices, the cursor and the marked choices. */
function useFiltered(props: Placed) {
  const { free, on, moved } = props;
  const own = useState(listState);
  const [state, setState] = props.state ?? own;
  const { buffer, touched, marked = props.taken } = state;
  const change = (changed: Partial<ListState>) => setState((before) => ({ ...before, ...changed }));
  const filter = bufferText(buffer);
  // Typed values that were marked stay in the list when the filter is erased.
  const added = marked.filter((value) => !props.choices.some((choice) => choice.value === value));
  const choices: readonly Choice[] = [...props.choices, ...added.map((value) => ({ value, title: value }))];
  const [at, setAt] = useState(() => (bufferText(buffer) === "" ? startOf(choices, on) : 0));
  const found = filter === "" ? choices : matching(choices, filter);
  const isTyped = free !== undefined && filter !== "" && !choices.some(({ value }) => value === filter);
  const typed: readonly Choice[] = isTyped ? [{ value: filter, title: filter, note: "as typed" }] : [];
  const valuesOf = (value: string) => (isTyped && value === filter ? typedValues(filter, props) : [value]);
  const problemOf = (value: string) =>
    isTyped && value === filter
      ? valuesOf(value)
          .map(free)
          .find((problem) => problem !== undefined)
      : undefined;
  // Typing 40 means 40, not the 4500 that contains these digits.
  const exact = isTyped && number.test(filter) && problemOf(filter) === undefined;
  const shown = exact ? [...typed, ...found] : [...found, ...typed];
  const here = Math.min(at, Math.max(0, shown.length - 1));
  const value = shown[here]?.value;
  useEffect(() => moved(value), [moved, value]);
  const [complaint, setComplaint] = useState("");
  const setBuffer = (next: TextBuffer) => change({ buffer: next });
  const type = (next: TextBuffer) => {
    // Space before the first letter is dropped: in lists of several choices it is the key that marks.
    const text = bufferText(next);
    const fitting = text.trimStart().slice(0, longest);
    setBuffer(fitting === text ? next : openBuffer(fitting, "end"));
    setAt(0);
    setComplaint("");
  };
  const hasNone = choices.length === 0;
  return {
    filter,
    buffer,
    setBuffer,
    type,
    shown,
    hasNone,
    here,
    setAt,
    value,
    valuesOf,
    problemOf,
    marked,
    touched,
    mark: (values: readonly string[]) => change({ marked: values, touched: true }),
    /** The chosen values if several may be chosen. Values that the user did not choose are not shown. */
    chips: props.several === true && (touched || props.provisional !== true) ? marked : [],
    complaint,
    setComplaint,
  };
}

/** Returns what Enter, Space and a comma do with the value under the cursor. */
function marking({ several = false, commas = false, free, provisional, take }: Placed, list: Filtered) {
  const { filter, type, value, valuesOf, problemOf, marked, mark, touched, setComplaint } = list;
  /** Calls back with the value under the cursor if it is valid. */
  const withValue = (then: (value: string) => void) => {
    if (value === undefined) return setComplaint("No choice matches: Esc clears the filter");
    const problem = problemOf(value);
    if (problem === undefined) then(value);
    else setComplaint(problem);
  };
  const before = provisional === true && !touched ? [] : marked;
  const keep = (values: readonly string[]) => {
    mark(values);
    if (filter !== "") type(openBuffer(""));
  };
  // Marks count once the user has changed one; what is typed is added to them.
  const kept = touched ? marked : [];
  // A blank and a comma are part of a free text, and a comma of a map.
  const isFree = free !== undefined && !commas;
  return {
    withValue,
    accept: () =>
      kept.length > 0 && filter === ""
        ? take(kept)
        : withValue((chosen) => take([...new Set([...kept, ...valuesOf(chosen)])])),
    mark:
      several && (filter === "" || !isFree)
        ? () => withValue((chosen) => keep(toggledAll(before, valuesOf(chosen))))
        : undefined,
    add:
      several && !isFree && !filter.startsWith("{")
        ? () => filter !== "" && withValue((chosen) => keep([...new Set([...before, ...valuesOf(chosen)])]))
        : undefined,
  };
}

function useFilterKeys(placed: Placed, list: Filtered, room: number): void {
  const { remark, back } = placed;
  const { filter, buffer, setBuffer, type, shown, here, setAt } = list;
  const { withValue, accept, mark, add } = marking(placed, list);
  useLayer(true, {
    scope: "choices",
    commands: {
      ...listMoves(here, shown.length, room, setAt),
      accept,
      back: () => (filter === "" ? back() : type(openBuffer(""))),
      ...textCommands(buffer, setBuffer, type),
      ...(mark && { mark }),
      ...(remark && { remark: () => withValue(remark) }),
    },
    text: (text) => (text === "," && add !== undefined ? add() : type(insertText(buffer, text))),
    paste: (text) => type(insertText(buffer, text.split(/[\r\n]/)[0] ?? "")),
  });
}

function signOf(value: string, marked: readonly string[], several = false): string {
  if (several) return marked.includes(value) ? "[x] " : "[ ] ";
  return marked.includes(value) ? "* " : "  ";
}

function headingOf(
  title: string,
  { filter, buffer, shown, hasNone, here, chips, complaint }: Filtered,
  columns: number,
  theme: Theme,
): Line {
  const invited = hasNone ? "  (type it, then Enter)" : "  (type to filter)";
  const count =
    shown.length === 0 && filter !== "" ? "no match" : `${Math.min(here + 1, shown.length)}/${shown.length}`;
  const note = `  ${complaint === "" ? count : complaint}`;
  const tags = chipSpans(chips, columns >> 1, theme);
  // The filter may be long, but the complaint about it must stay visible.
  const space = Math.max(8, columns - width(title) - lineWidth(tags) - width(note) - 4);
  return [
    { text: title === "" ? "" : ` ${printable(title)}`, style: "title" },
    ...tags,
    ...(filter === ""
      ? [{ text: invited, style: "faint" } as const]
      : [{ text: "  " }, ...fitLine(typedLine(buffer, theme), space)]),
    { text: note, style: complaint === "" ? "faint" : "bad" },
  ];
}

/** Draws the chosen values, only the last values if there is no room for all. */
function chipSpans(chips: readonly string[], room: number, { symbols }: Theme): readonly Span[] {
  const spans: Span[] = [];
  for (const chip of chips.toReversed()) {
    const text = ` [${fitMiddle(printable(chip), Math.max(4, room - 4))}]`;
    if (lineWidth(spans) + width(text) > room) return [{ text: ` ${symbols.more}`, style: "faint" }, ...spans];
    spans.unshift({ text, style: "accent" });
  }
  return spans;
}

function typedValues(text: string, { several, commas }: ChoiceListProps): readonly string[] {
  // Commas within a map belong to it.
  if (several !== true || commas !== true || text.trim().startsWith("{")) return [text];
  const parts = text.split(",").map((part) => part.trim());
  // A lone comma is reported as a mistake.
  return parts.every((part) => part === "") ? [text] : [...new Set(parts.filter((part) => part !== ""))];
}

/** Adds these values, or removes them if all were marked. */
function toggledAll(marked: readonly string[], values: readonly string[]): readonly string[] {
  const others = marked.filter((each) => !values.includes(each));
  return values.every((value) => marked.includes(value)) ? others : [...others, ...values];
}

/** Returns the choices whose title or value matches the typed text, best first. */
function matching<C extends { readonly title: string; readonly value: string }>(
  choices: readonly C[],
  typed: string,
): readonly C[] {
  const cost = ({ title, value }: C) => Math.min(fuzzy(typed, title) ?? Infinity, fuzzy(typed, value) ?? Infinity);
  const costs = new Map(choices.map((choice) => [choice, cost(choice)]));
  return choices.filter((choice) => costs.get(choice) !== Infinity).toSorted((a, b) => costs.get(a)! - costs.get(b)!);
}

/** Maximum entries of a short list: the first nine have a number of one digit, and the others are close to them. */
const mostShort = 12;
const mostNumbered = 9;

/**
 * Drawn and moved by `ink-select-input`, which moves only when it is drawn again. Its keys therefore come from the program's own
 * keyboard, each after the screen shows the effect of the previous key, so that none is lost if two arrive at once.
 */
function ShortList(props: Placed): ReactNode {
  const { title, choices, taken, on, columns, take, back, moved } = props;
  const { notices } = useTerminal();
  const stdin = use(StdinContext);
  const [keys] = useState(() => new EventEmitter());
  const press = (sequence: string) => void keys.emit("input", sequence);
  useLayer(true, {
    scope: "short-list",
    commands: {
      down: () => press("\x1b[B"),
      up: () => press("\x1b[A"),
      accept: () => press("\r"),
      number(digit) {
        const numbered = Math.min(choices.length, mostNumbered);
        if (Number(digit) <= numbered) press(digit);
        else notices.say(`Expected a number from 1 to ${numbered}, got ${digit}`, "bad");
      },
      back,
    },
  });
  const titles = titleWidth(choices);
  const room = columns - pointerWidth;
  const items = choices.map((choice, index) => ({
    value: choice.value,
    faint: choice.faint ?? false,
    click: { scope: "short-list", at: () => take([choice.value]) } as const,
    columns: room,
    label: fit(
      choiceText(
        choice,
        `${index < mostNumbered ? index + 1 : " "} ${taken.includes(choice.value) ? "* " : "  "}`,
        titles,
      ),
      room,
    ),
  }));
  const start = startOf(choices, on);
  const heading = [
    ...styled("title", title === "" ? "" : ` ${printable(title)}`),
    ...styled("faint", `  ${start + 1}/${choices.length}`),
  ];
  return (
    <Panel {...panelOf(props)} heading={heading}>
      <StdinContext value={{ ...stdin, internal_eventEmitter: keys }}>
        <SelectInput
          items={items}
          initialIndex={start}
          onHighlight={({ value }) => moved(value)}
          onSelect={(item) => take([item.value])}
          indicatorComponent={Pointer}
          itemComponent={Item}
        />
      </StdinContext>
    </Panel>
  );
}

/** Columns before every line. */
const pointerWidth = 3;

function Pointer({ isSelected = false }: { readonly isSelected?: boolean }): ReactNode {
  const { symbols } = useTheme();
  return <TextRow line={styled("accent", isSelected ? ` ${symbols.pointer} ` : "   ")} columns={pointerWidth} />;
}

type ItemProps = {
  readonly label: string;
  readonly columns?: number;
  readonly faint?: boolean;
  readonly isSelected?: boolean;
  readonly click?: Clickable;
};

const Item = ({ label, columns = 0, faint, isSelected, click }: ItemProps): ReactNode => (
  <TextRow line={choiceLine(label, faint, isSelected)} columns={columns} click={click} />
);

export type Choice = {
  readonly value: string;
  readonly title: string;
  readonly note?: string;
  /** True if the choice is of little use now; the note explains why. */
  readonly faint?: boolean;
};

/** Returns the width of the longest title, up to a limit, so that notes are in a separate column. */
export const titleWidth = (choices: readonly Choice[]): number =>
  Math.min(40, Math.max(0, ...choices.map(({ title }) => width(printable(title)))));

/** Returns a choice as one line; `before` contains its mark or its number. */
export function choiceText({ title, note }: Choice, before: string, titles: number): string {
  const name = printable(title);
  return `${before}${note === undefined ? name : `${pad(name, titles)}  ${printable(note)}`}`;
}

export const choiceLine = (text: string, faint = false, isSelected = false): Line => [
  { text, style: faint ? "faint" : isSelected ? "strong" : "plain" },
];

/**
 * Returns the cost of matching a text: all typed letters must occur in order; adjacent letters and starts of words are
 * cheaper. Undefined if letters are missing, or so far apart that any long text would match.
 */
export function fuzzy(typed: string, text: string): number | undefined {
  const wanted = typed.toLowerCase().replaceAll(" ", "");
  const given = text.toLowerCase();
  if (wanted === "") return 0;
  const direct = given.indexOf(typed.toLowerCase().trim());
  if (direct >= 0) return direct / 100 + (startsWord(given, direct) ? 0 : 1);
  let cost = 0;
  let at = -1;
  for (const letter of wanted) {
    const next = given.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    cost += next === at + 1 ? 0 : startsWord(given, next) ? 1 : 3;
    at = next;
  }
  return cost > mostPerLetter * wanted.length ? undefined : 2 + cost + given.length / 1000;
}
const mostPerLetter = 1.5;

/** Returns true if each typed word occurs in the text, alone or within a longer word. */
export function hasWords(typed: string, text: string): boolean {
  const given = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(" ")
    .every((word) => given.includes(word));
}

const startsWord = (text: string, index: number): boolean => index === 0 || !/[\p{L}\p{N}]/u.test(text[index - 1]!);
