/**
 * From key presses to commands. Layers lie over each other (a screen, over it a list, over that a question); the top one
 * takes a key, else it falls through to the keys that hold everywhere. Presses are queued and played one after the other,
 * each after the screen has taken in the last, so that what is typed ahead always meets the screen it was meant for.
 */
import { typed } from "./chord.ts";
import type { Binding, KeyContext, Scope } from "./binding.ts";
import type { Notices } from "../frame/notices.ts";

export type Layer = {
  readonly scope: Scope;
  readonly commands: Readonly<Record<string, () => void>>;
  readonly context: () => KeyContext;
  /** Takes characters that are no command here: text fields. */
  readonly text?: (text: string) => void;
  readonly paste?: (text: string) => void;
  /** Further lines for the command palette, such as `go to cell NAME`. */
  readonly extra?: () => readonly PaletteEntry[];
  /** Every key that is neither a command nor text; the base keys do not hold then. */
  readonly otherwise?: (chord: string) => void;
};

export type PaletteEntry = { readonly title: string; readonly keys: readonly string[]; readonly perform: () => void };

export type Keyboard = {
  /** `wait` is called after every key, and calls back when the screen has taken in what that key changed. */
  settleWith(wait: (then: () => void) => void): void;
  press(chords: readonly string[]): void;
  paste(text: string): void;
  /** Puts a layer on top; `current` is asked at every press, so it may change freely. Returns its removal. */
  add(current: () => Layer): () => void;
  top(): Layer | undefined;
  /** Whether a layer of this scope is open, whatever lies over it. */
  has(scope: Scope): boolean;
  /** The keys that hold everywhere. */
  base(): Layer | undefined;
  /** Says that what a layer offers may have changed, for the footer. */
  refresh(): void;
  /** Does a command of the topmost layer of this scope, as if its key had been pressed. */
  perform(scope: Scope, command: string): void;
  /** The start of a sequence that has been pressed, such as `d`. */
  pending(): string;
  subscribe(listener: () => void): () => void;
};

/** What lies over what; among equals the one that came last. */
function height(scope: Scope): number {
  switch (scope) {
    case "everywhere":
      return 0;
    case "editor":
    case "choices":
    case "line":
      return 2;
    case "palette":
      return 3;
    case "question":
      return 4;
    default:
      return 1;
  }
}

type Press = { readonly chord: string } | { readonly paste: string };

export function openKeyboard(table: readonly Binding[], notices: Notices): Keyboard {
  const layers: (() => Layer)[] = [];
  const queue: Press[] = [];
  const listeners = new Set<() => void>();
  let pending = "";
  let running = false;
  let settle: (then: () => void) => void = setImmediate;

  const changed = () => {
    for (const listener of listeners) listener();
  };
  const top = () => {
    let best: Layer | undefined;
    for (const each of layers) {
      const layer = each();
      if (best === undefined || height(layer.scope) >= height(best.scope)) best = layer;
    }
    return best;
  };
  const base = () => layers.map((layer) => layer()).find(({ scope }) => scope === "everywhere");

  const setPending = (keys: string) => {
    if (keys === pending) return;
    pending = keys;
    changed();
  };

  const run = (binding: Binding, layer: Layer): boolean => {
    const command = layer.commands[binding.command];
    if (command === undefined) return false;
    const reason = binding.disabled?.(layer.context());
    if (reason === undefined) command();
    else notices.say(reason, "bad");
    return true;
  };

  const lookUp = (keys: string, layer: Layer) =>
    table.find(
      (binding) => binding.scope === layer.scope && binding.keys.includes(keys) && layer.commands[binding.command],
    );
  const isStart = (keys: string, layer: Layer) =>
    table.some(({ scope, keys: all }) => scope === layer.scope && all.some((each) => each.startsWith(`${keys} `)));

  /** Takes the run of characters that follows out of the queue: a text field is given them at once. */
  const typedAhead = (layer: Layer): string => {
    let run = "";
    for (let press = queue[0]; press !== undefined && "chord" in press; press = queue[0]) {
      const text = typed(press.chord);
      if (text === undefined || lookUp(press.chord, layer) !== undefined) break;
      run += text;
      queue.shift();
    }
    return run;
  };

  const playBase = (chord: string): boolean => {
    const layer = base();
    const binding = layer && lookUp(chord, layer);
    return binding !== undefined && run(binding, layer!);
  };

  const play = (chord: string): void => {
    const layer = top();
    if (layer === undefined) return;
    const before = pending;
    const keys = before === "" ? chord : `${before} ${chord}`;
    setPending("");
    const bound = lookUp(keys, layer);
    if (bound !== undefined) return void run(bound, layer);
    if (isStart(keys, layer)) return setPending(keys);
    if (before !== "") return play(chord);
    // Whatever lies on top, Ctrl+C is the way out.
    if (chord === "ctrl+c") return void playBase(chord);
    const text = layer.text && typed(chord);
    if (text !== undefined) return layer.text!(text + typedAhead(layer));
    if (layer.otherwise !== undefined) return layer.otherwise(chord);
    if (playBase(chord)) return;
    // Esc and a letter pressed quickly arrive as Alt and the letter.
    if (chord.startsWith("alt+")) {
      queue.unshift({ chord: "esc" }, { chord: chord.slice(4) });
      return;
    }
    if (chord !== "esc") notices.say(`${chord} does nothing here: ? shows what does`);
  };

  const next = () => {
    const press = queue.shift();
    if (press === undefined) {
      running = false;
      return;
    }
    if ("chord" in press) {
      notices.clear();
      play(press.chord);
    } else {
      const paste = top()?.paste;
      if (paste === undefined) notices.say("There is nothing to paste into here");
      else paste(press.paste);
    }
    settle(next);
  };
  const start = () => {
    if (running) return;
    running = true;
    next();
  };

  return {
    settleWith(wait) {
      settle = wait;
    },
    press(chords) {
      for (const chord of chords) queue.push({ chord });
      start();
    },
    paste(text) {
      queue.push({ paste: text });
      start();
    },
    add(current) {
      layers.push(current);
      pending = "";
      changed();
      return () => {
        layers.splice(layers.indexOf(current), 1);
        changed();
      };
    },
    top,
    has: (scope) => layers.some((layer) => layer().scope === scope),
    base,
    refresh: changed,
    perform(scope, command) {
      const layer = layers.map((each) => each()).findLast((each) => each.scope === scope);
      const binding = table.find((each) => each.scope === scope && each.command === command);
      if (layer !== undefined && binding !== undefined) run(binding, layer);
    },
    pending: () => pending,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
