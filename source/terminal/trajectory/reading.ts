/** What the trajectory screen shows: which task, which section, and the position in each. */
import type { TaskRef } from "../../engine/types.ts";
import { WrappedTexts } from "../drawing/wrapped-text.ts";
import { type Position, end, start } from "./position.ts";
import type { Section } from "./sections/sections.ts";

export type Reading = {
  readonly ref: TaskRef;
  /** undefined until one is chosen. */
  readonly section: Section | undefined;
  readonly positions: Readonly<Partial<Record<Section, Position>>>;
  readonly toggled: ReadonlySet<string>;
  readonly wrapped: boolean;
  /** Texts are shown byte for byte. */
  readonly raw: boolean;
  /** What was looked for last; empty where nothing is. */
  readonly find: string;
  /** Texts of this task broken into lines. */
  readonly texts: WrappedTexts;
};

export function freshReading(ref: TaskRef): Reading {
  return {
    ref,
    section: undefined,
    positions: {},
    toggled: new Set(),
    wrapped: true,
    raw: false,
    find: "",
    texts: new WrappedTexts(),
  };
}

/** A conversation that continues is followed until the cursor leaves its end. */
export function positionIn({ positions }: Reading, section: Section, live: boolean): Position {
  return positions[section] ?? (live && section === "steps" ? end : start);
}

/** With the section shown by default as if it had been chosen, and its end followed where it was. */
export function settled(reading: Reading, section: Section, live: boolean): Reading {
  if (reading.section !== undefined) return reading;
  const place = positionIn(reading, section, live);
  return { ...reading, section, positions: { ...reading.positions, [section]: place } };
}
