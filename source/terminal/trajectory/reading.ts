/** The state of the trajectory screen: the task, the section, and the position in each section. */
import type { TaskRef } from "../../engine/types.ts";
import { WrappedTexts } from "../drawing/wrapped-text.ts";
import { type Position, end, start } from "./position.ts";
import type { Section } from "./block.ts";

export type Reading = {
  readonly ref: TaskRef;
  /** Undefined until the user chooses one. */
  readonly section: Section | undefined;
  readonly positions: Readonly<Partial<Record<Section, Position>>>;
  readonly toggled: ReadonlySet<string>;
  /** The start of a range of lines that ends at the cursor; absent without a range. */
  readonly range?: { readonly section: Section; readonly at: Position } | undefined;
  readonly wrapped: boolean;
  /** Texts are shown byte for byte. */
  readonly raw: boolean;
  /** The text that was searched last; empty if none. */
  readonly find: string;
  /** The wrapped texts of this task. */
  readonly texts: WrappedTexts;
};

export const freshReading = (ref: TaskRef): Reading => ({
  ref,
  section: undefined,
  positions: {},
  toggled: new Set(),
  wrapped: true,
  raw: false,
  find: "",
  texts: new WrappedTexts(),
});

/** A running conversation is followed until the cursor leaves its end. */
export const positionIn = ({ positions }: Reading, section: Section, live: boolean): Position =>
  positions[section] ?? (live && section === "steps" ? end : start);

/** Chooses the default section, and continues to show its end if the reader was at its end. */
export function settled(reading: Reading, section: Section, live: boolean): Reading {
  if (reading.section !== undefined) return reading;
  const place = positionIn(reading, section, live);
  return { ...reading, section, positions: { ...reading.positions, [section]: place } };
}
