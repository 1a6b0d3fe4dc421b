/**
 * Turns key presses into commands. Layers are stacked: a screen, a list over it, a question over the list. The top layer takes a
 * key; unused keys are passed to the scope `everywhere`. Presses are queued, and each is handled after the screen has rendered
 * the effect of the previous one, so that keys typed ahead reach the intended screen.
 */
import { openListeners } from "../frame/listeners.ts";
import { typed } from "./chord.ts";
import type { Binding, KeyContext } from "./binding.ts";
import { keyTable, type Scope } from "./keys.ts";
import type { Notices } from "../frame/notices.ts";

/** A layer as the keyboard stores it; the type of `useLayer` checks that every command has a handler. */
export type Layer = {
  readonly scope: Scope;
  /** Each handler receives the pressed keys. */
  readonly commands: Readonly<Record<string, ((keys: string) => void) | undefined>>;
  readonly context: () => KeyContext;
  /** Receives characters that are not keys of this scope, for text fields. */
  readonly text?: (text: string) => void;
  readonly paste?: (text: string) => void;
  /** Further entries of the command palette, such as `Go to cell: NAME`. */
  readonly extra?: () => readonly PaletteEntry[];
  /** Takes every key that is neither a command nor text, including keys of scope `everywhere`. */
  readonly otherwise?: (chord: string) => void;
  /** Set while the content is still being read: the commands that do not need it. All other keys wait. */
  readonly meanwhile?: readonly string[] | undefined;
};

export type PaletteEntry = { readonly title: string; readonly keys: readonly string[]; readonly perform: () => void };

/** Higher layers take keys first; among equal heights, the layer that was added last. */
const heights: Readonly<Partial<Record<Scope, number>>> = {
  everywhere: 0,
  editor: 2,
  choices: 2,
  "short-list": 2,
  line: 2,
  search: 2,
  palette: 3,
  question: 4,
};
const height = (scope: Scope): number => heights[scope] ?? 1;

/** These keys work in every layer that does not use them itself. */
const ofTerminal: ReadonlySet<string> = new Set(["ctrl+c", "ctrl+z", "ctrl+l"]);

type Press = { readonly chord: string } | { readonly paste: string };

export class Keyboard {
  readonly #notices: Notices;
  readonly #layers: (() => Layer)[] = [];
  readonly #queue: Press[] = [];
  readonly #listeners = openListeners();
  #pending = "";
  #running = false;
  #settle: (then: () => void) => void = setImmediate;

  constructor(notices: Notices) {
    this.#notices = notices;
  }

  /** `wait` is called after every key, and calls back once the screen has rendered its effect. */
  settleWith(wait: (then: () => void) => void): void {
    this.#settle = wait;
  }

  press(chords: readonly string[]): void {
    for (const chord of chords) this.#queue.push({ chord });
    this.#start();
  }

  paste(text: string): void {
    this.#queue.push({ paste: text });
    this.#start();
  }

  /** Puts a layer on top. `current` is called at every press, so the layer may change. Returns a function that removes it. */
  add(current: () => Layer): () => void {
    this.#layers.push(current);
    this.#pending = "";
    this.#notify();
    return () => {
      this.#layers.splice(this.#layers.indexOf(current), 1);
      this.#notify();
    };
  }

  top(): Layer | undefined {
    let best: Layer | undefined;
    for (const each of this.#layers) {
      const layer = each();
      if (best === undefined || height(layer.scope) >= height(best.scope)) best = layer;
    }
    return best;
  }

  /** Returns true if a layer of this scope is open, even under other layers. */
  has(scope: Scope): boolean {
    return this.#layers.some((layer) => layer().scope === scope);
  }

  /** Returns the layer of scope `everywhere`. */
  base(): Layer | undefined {
    return this.#layers.map((layer) => layer()).find(({ scope }) => scope === "everywhere");
  }

  /**
   * Notifies listeners (the footer) that a layer's commands may have changed, and handles keys that waited for that.
   */
  refresh(): void {
    this.#notify();
    if (this.#running || this.#queue.length === 0) return;
    this.#running = true;
    this.#settle(this.#next);
  }

  /** Executes a command of the topmost layer of this scope, as if its key had been pressed. */
  perform(scope: Scope, command: string): void {
    const layer = this.#layers.map((each) => each()).findLast((each) => each.scope === scope);
    const binding = keyTable[scope].find((each) => each.command === command);
    if (layer !== undefined && binding !== undefined) this.#run(binding, layer, binding.keys[0] ?? "");
  }

  /** Returns the keys pressed so far of an incomplete sequence, such as `d`; otherwise an empty text. */
  readonly pending = (): string => this.#pending;

  readonly subscribe = this.#listeners.subscribe;

  #notify(): void {
    this.#listeners.tell();
  }

  #setPending(keys: string): void {
    if (keys === this.#pending) return;
    this.#pending = keys;
    this.#notify();
  }

  #start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#next();
  }

  readonly #next = (): void => {
    const press = this.#mustWait() ? undefined : this.#queue.shift();
    if (press === undefined) {
      this.#running = false;
      return;
    }
    if ("chord" in press) {
      this.#notices.clear();
      this.#handle(press.chord);
    } else {
      const paste = this.top()?.paste;
      if (paste === undefined) this.#notices.say("There is no text field to paste into");
      else paste(press.paste);
    }
    this.#settle(this.#next);
  };

  /**
   * Returns true if a key must wait. A key that does not wait drops the waiting keys, because it leaves the content for which
   * they were meant.
   */
  #mustWait(): boolean {
    const layer = this.top();
    if (layer?.meanwhile === undefined) return false;
    const { meanwhile } = layer;
    const at = this.#queue.findIndex((press) => this.#needsNothing(press, layer, meanwhile));
    this.#queue.splice(0, Math.max(0, at));
    return at < 0;
  }

  #needsNothing(press: Press, layer: Layer, meanwhile: readonly string[]): boolean {
    if (!("chord" in press)) return true;
    const bound = this.#lookUp(press.chord, layer);
    return bound === undefined ? !this.#startsSequence(press.chord, layer) : meanwhile.includes(bound.command);
  }

  #handle(chord: string): void {
    const layer = this.top();
    if (layer === undefined) return;
    const before = this.#pending;
    const keys = before === "" ? chord : `${before} ${chord}`;
    this.#setPending("");
    const bound = this.#lookUp(keys, layer);
    if (bound !== undefined) return void this.#run(bound, layer, keys);
    if (this.#startsSequence(keys, layer)) return this.#setPending(keys);
    if (before !== "") return this.#handle(chord);
    if (ofTerminal.has(chord)) return void this.#handleEverywhere(chord);
    const text = layer.text && typed(chord);
    if (text !== undefined) return layer.text!(text + this.#typedAhead(layer));
    if (layer.otherwise !== undefined) return layer.otherwise(chord);
    if (this.#handleEverywhere(chord)) return;
    // Esc followed quickly by a letter arrives as Alt and the letter.
    if (chord.startsWith("alt+")) {
      this.#queue.unshift({ chord: "esc" }, { chord: chord.slice(4) });
      return;
    }
    if (chord !== "esc") this.#notices.say(`${chord} has no function here: ? lists the keys`);
  }

  #handleEverywhere(chord: string): boolean {
    const layer = this.base();
    const binding = layer && this.#lookUp(chord, layer);
    return binding !== undefined && this.#run(binding, layer!, chord);
  }

  #run(binding: Binding, layer: Layer, keys: string): boolean {
    const command = layer.commands[binding.command];
    if (command === undefined) return false;
    const reason = binding.disabled?.(layer.context());
    if (reason === undefined) command(keys);
    else this.#notices.say(reason, "bad");
    return true;
  }

  /** Removes the following characters from the queue, so that a text field gets them as one text. */
  #typedAhead(layer: Layer): string {
    const queue = this.#queue;
    let characters = "";
    for (let press = queue[0]; press !== undefined && "chord" in press; press = queue[0]) {
      const text = typed(press.chord);
      if (text === undefined || this.#lookUp(press.chord, layer) !== undefined) break;
      characters += text;
      queue.shift();
    }
    return characters;
  }

  #lookUp(keys: string, { scope, commands }: Layer): Binding | undefined {
    return keyTable[scope].find((binding) => binding.keys.includes(keys) && commands[binding.command] !== undefined);
  }

  #startsSequence(keys: string, { scope }: Layer): boolean {
    return keyTable[scope].some(({ keys: all }) => all.some((each) => each.startsWith(`${keys} `)));
  }
}
