/** Kinds of damage to a log, and their descriptions. */
import { counted } from "../../text/counted.ts";

export type LogDamage = {
  /** Lines that are not events. */
  readonly unreadable: number;
  /** Duplicate events; each counts once. */
  readonly doubled: number;
  /** Events and messages that other lines show to be missing. */
  readonly missing: number;
  /** Events of two programs that wrote at the same time; all of them count. */
  readonly crossed: number;
  /** True if a byte order mark begins the log. */
  readonly mark: boolean;
  /** Blocks that differ from their checksums. */
  readonly changed: number;
  /** Bytes that were written and no longer exist. */
  readonly cut: number;
  /** True if the index, which contains the checksums, was damaged. */
  readonly index: boolean;
};

export const unharmed: LogDamage = {
  unreadable: 0,
  doubled: 0,
  missing: 0,
  crossed: 0,
  mark: false,
  changed: 0,
  cut: 0,
  index: false,
};

/** Returns one sentence about all damage; undefined if there is no damage. */
export function damageText(damage: LogDamage): string | undefined {
  const { unreadable, doubled, missing, crossed, mark, changed, cut, index } = damage;
  const parts = [
    unreadable > 0 && `${counted(unreadable, "line")} of the log could not be read`,
    missing > 0 && `${counted(missing, "event")} of the log ${missing === 1 ? "is" : "are"} missing`,
    doubled > 0 && `${counted(doubled, "duplicate line")} of the log ${doubled === 1 ? "was" : "were"} ignored`,
    crossed > 0 &&
      `${counted(crossed, "event")} of the log ${crossed === 1 ? "was" : "were"} written by two programs at once`,
    mark && "the log begins with a byte order mark, which an editor may have added",
    changed > 0 && `${counted(changed, "block")} of the log changed after writing`,
    cut > 0 && `the log is ${counted(cut, "byte")} shorter than it was`,
    index && "the log's index was damaged, so earlier changes cannot be detected",
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  const text = parts.join("; ");
  return text[0]!.toUpperCase() + text.slice(1);
}

/** Adds the damage of two readings. */
export function sumDamage(one: LogDamage, other: LogDamage): LogDamage {
  return {
    unreadable: one.unreadable + other.unreadable,
    doubled: one.doubled + other.doubled,
    missing: one.missing + other.missing,
    crossed: one.crossed + other.crossed,
    mark: one.mark || other.mark,
    changed: one.changed + other.changed,
    cut: one.cut + other.cut,
    index: one.index || other.index,
  };
}
