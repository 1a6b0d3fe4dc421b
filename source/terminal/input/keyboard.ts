/**
 * From key presses to commands. Layers lie over each other (a screen, over it a list, over that a question). The top layer
 * takes a key; a key it has no use for falls through to the keys of scope `everywhere`. Presses are queued and handled one
 * by one, each after the screen has rendered the last, so that keys typed ahead reach the screen they were meant for.
 */
import { typed } from "./chord.ts";
import type { Binding, KeyContext, Scope } from "./binding.ts";
import type { KeyTable } from "./keys.ts";
import type { Notices } from "../frame/notices.ts";

/** As the keyboard keeps it. That every command of the scope has a handler is checked by the type of `useLayer`. */
export type Layer = {
  readonly scope: Scope;
  /** Called with the keys that were pressed. */
  readonly commands: Readonly<Record<string, ((keys: string) => void) | undefined>>;
  readonly context: () => KeyContext;
  /** Text fields: takes the characters that are no key of this scope. */
  readonly text?: (text: string) => void;
  readonly paste?: (text: string) => void;
  /** Further entries for the command palette, such as `Go to cell: NAME`. */
  readonly extra?: () => readonly PaletteEntry[];
  /** Takes every key that is neither a command nor text, those of scope `everywhere` included. */
  readonly otherwise?: (chord: string) => void;
  /**
   * Where what the layer is about is still being read: the commands that need nothing of it. The keys of all others wait until
   * it is there.
   */
  readonly meanwhile?: readonly string[] | undefined;
};

export type PaletteEntry = { readonly title: string; readonly keys: readonly string[]; readonly perform: () => void };

export type Keyboard = {
  /** `wait` is called after every key, and calls back when the screen has rendered what that key changed. */
  settleWith(wait: (then: () => void) => void): void;
  press(chords: readonly string[]): void;
  paste(text: string): void;
  /** Puts a layer on top. `current` is called at every press, so the layer may change. Returns a function that removes it. */
  add(current: () => Layer): () => void;
  top(): Layer | undefined;
  /** Whether a layer of this scope is open, whatever lies over it. */
  has(scope: Scope): boolean;
  /** The layer of scope `everywhere`. */
  base(): Layer | undefined;
  /** Notifies listeners (the footer) that what a layer offers may have changed; keys that waited for it are handled. */
  refresh(): void;
  /** Runs a command of the topmost layer of this scope, as if its key had been pressed. */
  perform(scope: Scope, command: string): void;
  /** The keys pressed so far of a sequence, such as `d`; else empty. */
  pending(): string;
  subscribe(listener: () => void): () => void;
};

/** Higher layers take keys first; among equals, the last one added. */
function height(scope: Scope): number {
  switch (scope) {
    case "everywhere":
      return 0;
    case "editor":
    case "choices":
    case "short-list":
    case "line":
    case "search":
      return 2;
    case "palette":
      return 3;
    case "question":
      return 4;
    default:
      return 1;
  }
}

/** These work whatever layer is on top that has no use of its own for them. */
const ofTerminal: ReadonlySet<string> = new Set(["ctrl+c", "ctrl+z", "ctrl+l"]);

type Press = { readonly chord: string } | { readonly paste: string };

export function openKeyboard(table: KeyTable, notices: Notices): Keyboard {
  const layers: (() => Layer)[] = [];
  const queue: Press[] = [];
  const listeners = new Set<() => void>();
  let pending = "";
  let running = false;
  let settle: (then: () => void) => void = setImmediate;

  const notify = () => {
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
    notify();
  };

  const run = (binding: Binding, layer: Layer, keys: string): boolean => {
    const command = layer.commands[binding.command];
    if (command === undefined) return false;
    const reason = binding.disabled?.(layer.context());
    if (reason === undefined) command(keys);
    else notices.say(reason, "bad");
    return true;
  };

  const lookUp = (keys: string, layer: Layer) =>
    table[layer.scope].find((binding) => binding.keys.includes(keys) && layer.commands[binding.command] !== undefined);
  const startsSequence = (keys: string, layer: Layer) =>
    table[layer.scope].some(({ keys: all }) => all.some((each) => each.startsWith(`${keys} `)));

  /** Takes the characters that follow out of the queue, so that a text field gets them as one text. */
  const typedAhead = (layer: Layer): string => {
    let characters = "";
    for (let press = queue[0]; press !== undefined && "chord" in press; press = queue[0]) {
      const text = typed(press.chord);
      if (text === undefined || lookUp(press.chord, layer) !== undefined) break;
      characters += text;
      queue.shift();
    }
    return characters;
  };

  const handleEverywhere = (chord: string): boolean => {
    const layer = base();
    const binding = layer && lookUp(chord, layer);
    return binding !== undefined && run(binding, layer!, chord);
  };

  const handle = (chord: string): void => {
    const layer = top();
    if (layer === undefined) return;
    const before = pending;
    const keys = before === "" ? chord : `${before} ${chord}`;
    setPending("");
    const bound = lookUp(keys, layer);
    if (bound !== undefined) return void run(bound, layer, keys);
    if (startsSequence(keys, layer)) return setPending(keys);
    if (before !== "") return handle(chord);
    if (ofTerminal.has(chord)) return void handleEverywhere(chord);
    const text = layer.text && typed(chord);
    if (text !== undefined) return layer.text!(text + typedAhead(layer));
    if (layer.otherwise !== undefined) return layer.otherwise(chord);
    if (handleEverywhere(chord)) return;
    // Esc and a letter pressed quickly arrive as Alt and the letter.
    if (chord.startsWith("alt+")) {
      queue.unshift({ chord: "esc" }, { chord: chord.slice(4) });
      return;
    }
    if (chord !== "esc") notices.say(`${chord} has no function here: ? lists the keys`);
  };

  const needsNothing = (press: Press, layer: Layer, meanwhile: readonly string[]): boolean => {
    if (!("chord" in press)) return true;
    const bound = lookUp(press.chord, layer);
    return bound === undefined ? !startsSequence(press.chord, layer) : meanwhile.includes(bound.command);
  };
  /** What was typed before a key that does not wait is dropped: that key leads away from what it was about. */
  const mustWait = (): boolean => {
    const layer = top();
    if (layer?.meanwhile === undefined) return false;
    const { meanwhile } = layer;
    const at = queue.findIndex((press) => needsNothing(press, layer, meanwhile));
    queue.splice(0, Math.max(0, at));
    return at < 0;
  };

  const next = () => {
    const press = mustWait() ? undefined : queue.shift();
    if (press === undefined) {
      running = false;
      return;
    }
    if ("chord" in press) {
      notices.clear();
      handle(press.chord);
    } else {
      const paste = top()?.paste;
      if (paste === undefined) notices.say("There is no text field to paste into");
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
      notify();
      return () => {
        layers.splice(layers.indexOf(current), 1);
        notify();
      };
    },
    top,
    has: (scope) => layers.some((layer) => layer().scope === scope),
    base,
    refresh() {
      notify();
      if (running || queue.length === 0) return;
      running = true;
      settle(next);
    },
    perform(scope, command) {
      const layer = layers.map((each) => each()).findLast((each) => each.scope === scope);
      const binding = table[scope].find((each) => each.command === command);
      if (layer !== undefined && binding !== undefined) run(binding, layer, binding.keys[0] ?? "");
    },
    pending: () => pending,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
