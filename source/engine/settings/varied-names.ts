/**
 * Names of functions in a variant of a run (`vary: {names: 5}`): the words of each name in another spelling, with other words
 * around them. Only requests have these names; calls are mapped back before any other code reads them.
 */
import { createHash } from "node:crypto";
import type { VariedNames } from "../strategy.ts";
import type { Chunk, Json, Message, RunSpec, Step, ToolCall, ToolSpec } from "../types.ts";

type Style = { readonly spelling: string; readonly before: string; readonly behind: string };

const spellings: Readonly<Record<string, (words: readonly string[]) => string>> = {
  snake_case: (words) => words.join("_"),
  camelCase: (words) => words.map((word, at) => (at === 0 ? word : capital(word))).join(""),
  PascalCase: (words) => words.map(capital).join(""),
  UPPER_CASE: (words) => words.join("_").toUpperCase(),
};

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** All styles except the one that most benchmarks use. */
const styles: readonly Style[] = Object.keys(spellings).flatMap((spelling) =>
  ["", "api", "tool", "call", "run", "use", "fn", "do"].flatMap((before) =>
    ["", "tool", "api", "v2"].flatMap((behind) =>
      spelling === "snake_case" && before === "" && behind === "" ? [] : [{ spelling, before, behind }],
    ),
  ),
);

/** Returns the style of a variant, from 2; the styles of the first 127 variants differ. */
function styleOf(seed: number, variant: number): Style {
  const key = (style: Style) =>
    createHash("sha256")
      .update(`${seed} ${Object.values(style).join(" ")}`)
      .digest("hex");
  const order = styles
    .map((style) => [key(style), style] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return order[(variant - 2) % order.length]![1];
}

/** Maximum number of characters that servers accept in the name of a function. */
const longestName = 64;

/** Returns a name in this style; a name that would be too long has only its own words. */
function styled(name: string, { spelling, before, behind }: Style): string {
  const own = name.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g)?.map((word) => word.toLowerCase()) ?? [name];
  const spell = (words: readonly string[]) => spellings[spelling]!(words.filter((word) => word !== ""));
  const whole = spell([before, ...own, behind]);
  return whole.length <= longestName ? whole : spell(own).slice(0, longestName);
}

/**
 * Marks a call that used a function's own name although the function was offered under another name; no function of that name
 * was offered.
 */
const notOffered = " (not offered)";

/** Returns the names of functions in a run that varies them; undefined for other runs. Each task has separate names. */
export const variedNames = ({ vary, seed }: Pick<RunSpec, "vary" | "seed">): VariedNames | undefined =>
  vary?.names === undefined ? undefined : new NamesOfTask(styleOf(seed, vary.names));

/** Kind of the note that names the functions of a variant: its data map names in requests to the original names. */
export const renamedNote = "renamed";

/** Returns steps in which functions are offered under their own names, as calls have them. */
export function withOwnTools(steps: readonly Step[]): readonly Step[] {
  let own: Readonly<Record<string, Json>> = {};
  const named = (tool: ToolSpec): ToolSpec => ({ ...tool, name: String(own[tool.name] ?? tool.name) });
  return steps.map((step) => {
    if (step.type === "note" && step.kind === renamedNote) own = { ...own, ...(step.data as typeof own) };
    return step.type === "prompt" && step.tools !== undefined ? { ...step, tools: step.tools.map(named) } : step;
  });
}

class NamesOfTask implements VariedNames {
  readonly #style: Style;
  readonly #given = new Map<string, string>();
  readonly #own = new Map<string, string>();

  constructor(style: Style) {
    this.#style = style;
  }

  get own(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#own);
  }

  tools(tools: readonly ToolSpec[], kept: string | undefined): readonly ToolSpec[] {
    for (const { name } of tools) if (name !== kept && !this.#given.has(name)) this.#name(name, tools);
    return tools.map((tool) => ({
      ...tool,
      name: this.#given.get(tool.name) ?? tool.name,
      description: this.#reworded(tool.description),
    }));
  }

  /** A name is never that of another function. */
  #name(own: string, offered: readonly ToolSpec[]): void {
    const plain = styled(own, this.#style);
    const isTaken = (name: string) =>
      this.#own.has(name) || this.#given.has(name) || offered.some((tool) => tool.name === name && name !== own);
    let name = plain;
    for (let number = 2; isTaken(name); number++) name = `${plain.slice(0, longestName - 4)}_${number}`;
    this.#given.set(own, name);
    this.#own.set(name, own);
  }

  messages(messages: readonly Message[]): readonly Message[] {
    return messages.map((message) => {
      if (message.role !== "assistant") return { ...message, content: this.#reworded(message.content) };
      const { calls } = message;
      return calls === undefined ? message : { ...message, calls: calls.map((call) => this.#sent(call)) };
    });
  }

  #sent(call: ToolCall): ToolCall {
    const { name } = call;
    if (name.endsWith(notOffered)) return { ...call, name: name.slice(0, -notOffered.length) };
    return { ...call, name: this.#given.get(name) ?? name };
  }

  chunk(chunk: Chunk): Chunk {
    if (chunk.type !== "call") return chunk;
    const { name } = chunk.call;
    const given = this.#given.get(name);
    const isOther = given !== undefined && given !== name;
    return { ...chunk, call: { ...chunk.call, name: this.#own.get(name) ?? (isOther ? name + notOffered : name) } };
  }

  /**
   * Returns a text with the names of functions replaced. A name that is an ordinary word counts only if it is written as code: in
   * quotes, or before a bracket.
   */
  #reworded(text: string): string {
    if (this.#given.size === 0) return text;
    return text.replaceAll(/[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*/g, (word, at: number) => {
      const given = this.#given.get(word);
      if (given === undefined) return word;
      const isCode = /[`'"]/.test(text.charAt(at - 1)) || /[([]/.test(text.charAt(at + word.length));
      return isCode || /[_\d-]|[a-z][A-Z]/.test(word) ? given : word;
    });
  }
}
