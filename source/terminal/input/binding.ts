/** Keys as data. The footer, help, the palette and the documentation are made from these; `keys.ts` has the whole table. */
import type { CellState, RunState, SessionCell, Workbench } from "../../engine/workbench/workbench.ts";

/** The context in which a command is enabled or disabled. */
export type KeyContext = {
  readonly workbench: Workbench;
  readonly cell?: SessionCell | undefined;
  readonly state?: CellState | undefined;
  readonly run?: RunState | undefined;
  /** False if the task was never started; absent if that is unknown. */
  readonly hasBegun?: boolean;
  /** True while the user labels tasks blind. */
  readonly isBlind?: boolean;
  /** True if the task has been scored. */
  readonly isScored?: boolean;
};

export type Binding = {
  /**
   * Chords as in `chord.ts`; a sequence contains blanks (`d d`). An empty list means that only the palette contains the command.
   */
  readonly keys: readonly string[];
  /** Identifies the effect of the key. A screen of this scope must have a handler for this command. */
  readonly command: string;
  readonly title: string;
  /** The rank of the key in the footer, lowest first; absent if the footer does not show the key. */
  readonly footer?: number;
  /** A short word for the footer if the title is long. */
  readonly short?: string;
  /** Returns why the key cannot be used now; undefined if it can. */
  readonly disabled?: (context: KeyContext) => string | undefined;
  /** A layer of this scope may omit it. Its key then types a character, and neither footer nor palette shows it. */
  readonly optional?: true;
};

type Rest = Omit<Binding, "keys" | "command" | "title">;

/** Returns a row of a key table: the keys, the command and its title, and further fields. */
export const key = <const Command extends string, const More extends Rest = Rest>(
  keys: readonly string[],
  command: Command,
  title: string,
  more?: More,
): Binding & More & { readonly command: Command } => ({ keys, command, title, ...(more as More) });
