/** Thousands of spoiled texts into every parser of foreign text: none hangs, pollutes a prototype, or throws what nobody expects. */
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { DataProblem } from "../../source/engine/text/json-lines.ts";
import { NoReply, StreamedError } from "../../source/engine/models/network/reply-body.ts";
import { parsers, type Parser } from "./foreign-text.ts";
import { amount, type Line, type Torture } from "./part.ts";

/** Milliseconds of the processor that one text of some kilobytes may take. */
const limit = 2000;
/** Errors that say what is wrong with a text. */
const expected = [SyntaxError, DataProblem, NoReply, StreamedError];
const pieces = [
  ..."{}[]()<>\"'`\\,:;=#-_/ \n\r\t\0aA0",
  ..."__proto__ constructor prototype ``` --- <think> </think> 1e999 \ud800 \udc00 \u202e \ufeff None &a *a null data: é 日 👩‍👩 \u001b[2J".split(
    " ",
  ),
];

export async function* fuzz(torture: Torture): AsyncGenerator<Line> {
  const cases = amount(torture, 300, 10_000, 100_000);
  for (const [name, parser] of Object.entries(parsers)) yield await attacked(name, parser, cases, torture.seed);
}

async function attacked(name: string, { read, seeds }: Parser, cases: number, seed: number): Promise<Line> {
  const random = randomFrom(`${seed} ${name}`);
  const broken: string[] = [];
  let slowest = 0;
  for (let index = 0; index < cases && broken.length < 5; index++) {
    const text = spoiled(seeds, random);
    const began = process.cpuUsage();
    try {
      await read(text);
    } catch (error) {
      if (!expected.some((kind) => error instanceof kind))
        broken.push(`${String(error)} for ${JSON.stringify(text.slice(0, 300))}`);
    }
    const { user, system } = process.cpuUsage(began);
    const took = (user + system) / 1000;
    slowest = Math.max(slowest, took);
    if (took > limit)
      broken.push(`${took.toFixed(0)} ms for ${text.length} characters: ${JSON.stringify(text.slice(0, 300))}`);
    const [strange] = Object.keys(Object.prototype);
    if (strange !== undefined) {
      broken.push(`\`${strange}\` came into the prototype by ${JSON.stringify(text.slice(0, 300))}`);
      delete (Object.prototype as Record<string, unknown>)[strange];
    }
  }
  return { what: name, tries: cases, broken, note: `slowest ${slowest.toFixed(0)} ms` };
}

/** A seed with some changes: pieces put in, taken out, doubled, or repeated many times. */
function spoiled(seeds: readonly string[], random: () => number): string {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  let text = pick(seeds);
  for (let changes = 1 + Math.floor(random() * 6); changes > 0; changes--) {
    const at = Math.floor(random() * (text.length + 1));
    const end = at + Math.floor(random() * 8);
    const kind = random();
    if (kind < 0.4) text = text.slice(0, at) + pick(pieces) + text.slice(at);
    else if (kind < 0.6) text = text.slice(0, at) + text.slice(end);
    else if (kind < 0.75) text = text.slice(0, end) + text.slice(at);
    else if (kind < 0.9) text = text.slice(0, at) + pick(seeds) + text.slice(at);
    else text = text.slice(0, at) + pick(pieces).repeat(Math.floor(random() ** 3 * 3000)) + text.slice(at);
  }
  return text;
}
