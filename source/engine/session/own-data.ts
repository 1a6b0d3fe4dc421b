/** Tasks of the user's own in a benchmark's layout (`planwright data add SUITE --own NAME`): `data: NAME` in a cell, `own/NAME` in a run. */
import type { OwnData } from "../run-settings.ts";
import type { DataKind, Json } from "../types.ts";

/** Names it may have: those of other data are taken. */
export function isOwnName(text: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,63}$/.test(text) && !["sample", "published", "own"].includes(text);
}

export const ownData = (name: string): OwnData => `own/${name}`;

/** The name of such data; undefined for any other. */
export function ownName(data: DataKind): string | undefined {
  return data.startsWith("own/") ? data.slice("own/".length) : undefined;
}

/** What a cell says by `data`, bare or as a run has it; undefined where it is no name of such data. */
export function ownDataIn(written: Json): OwnData | undefined {
  const name = typeof written === "string" ? written.replace(/^own\//, "") : "";
  return isOwnName(name) ? ownData(name) : undefined;
}
