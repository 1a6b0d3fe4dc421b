/** Where a person is in a trajectory: which task, which section, and where in each. */
import type { TaskRef } from "../../engine/types.ts";
import { type Place, end, start } from "./place.ts";
import type { Section } from "./sections.ts";

export type Reading = {
  readonly ref: TaskRef;
  /** undefined until one is chosen. */
  readonly section: Section | undefined;
  readonly places: Readonly<Partial<Record<Section, Place>>>;
  readonly turned: ReadonlySet<string>;
  readonly wrapped: boolean;
};

export function freshReading(ref: TaskRef): Reading {
  return { ref, section: undefined, places: {}, turned: new Set(), wrapped: true };
}

/** A conversation that goes on is followed until one moves away from its end. */
export function placeIn({ places }: Reading, section: Section, live: boolean): Place {
  return places[section] ?? (live && section === "steps" ? end : start);
}

/** The section that was shown by itself, as if it had been chosen, with its end if that is followed. */
export function settled(reading: Reading, section: Section, live: boolean): Reading {
  if (reading.section !== undefined) return reading;
  const place = placeIn(reading, section, live);
  return { ...reading, section, places: { ...reading.places, [section]: place } };
}
