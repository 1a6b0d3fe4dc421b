/**
 * From key presses to commands. Layers lie over each other (a screen, over it a list, over that a question); the top one
 * takes a key, else it falls through to the keys that hold everywhere. Presses are queued and played one after the other,
 * each after the screen has taken in the last, so that what is typed ahead always meets the screen it was meant for.
 */
import { typed } from "./chord.ts";
import type { Binding, KeyContext, Scope } from "./binding.ts";
import type { Notices } from "./notices.ts";

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
  press(chords: readonly string[]): void;
  paste(text: string): void;
  /** Puts a layer on top; `current` is asked at every press, so it may change freely. Returns its removal. */
  add(current: () => Layer): () => void;
  top(): Layer | undefined;
  /** Does a command of the top layer, or a base command, as if its key had been pressed. */
  perform(command: string): void;
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
  let playing = false;

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
    const text = layer.text && typed(chord);
    if (text !== undefined) return layer.text!(text);
    if (layer.otherwise !== undefined) return layer.otherwise(chord);
    const bottom = base();
    const everywhere = bottom && lookUp(chord, bottom);
    if (everywhere !== undefined) return void run(everywhere, bottom!);
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
      playing = false;
      return;
    }
    if ("chord" in press) {
      notices.clear();
      play(press.chord);
    } else {
      top()?.paste?.(press.paste);
    }
    // React has drawn what the key changed before the next one is played.
    setImmediate(next);
  };
  const start = () => {
    if (playing) return;
    playing = true;
    next();
  };

  return {
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
      setPending("");
      return () => {
        layers.splice(layers.indexOf(current), 1);
        changed();
      };
    },
    top,
    perform(command) {
      for (const layer of [top(), base()]) {
        const binding = layer && table.find((each) => each.scope === layer.scope && each.command === command);
        if (binding !== undefined && run(binding, layer!)) return;
      }
    },
    pending: () => pending,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
