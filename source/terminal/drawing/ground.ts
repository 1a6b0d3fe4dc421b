/** Whether a terminal writes on dark or on light ground: it is asked, as far as it can say. */
import type { Readable } from "node:stream";
import { contrast, type Ground, type Rgb, black, white } from "../../engine/figures/palette.ts";
import type { Depth } from "./theme.ts";
import { type Clock, machineClock } from "../../engine/work/clock.ts";

/** What is its background (OSC 11), and what is it at all: every terminal answers the second, so an answer to neither is rare. */
const question = "\x1b]11;?\x1b\\\x1b[c";

const escape = "\x1b";
/** `rgb:` with one to four hexadecimal digits a part; what else stands there is the terminal's own. */
const part = "([0-9a-fA-F]{1,4})";
const background = new RegExp(`${escape}\\]11;rgba?:${part}/${part}/${part}[^\x07${escape}]*(?:\x07|${escape}\\\\)`);
const identity = new RegExp(`${escape}\\[\\?[\\d;]*c`);

/** The longest a terminal is waited for, in milliseconds; one on another continent takes half of it. */
const patience = 1_000;

type Input = Readable & { setRawMode(on: boolean): unknown };

/**
 * Asks the terminal, and gives back to the input what was typed meanwhile. Undefined where it does not say. Nobody else may read
 * the input until it resolves; an answer that comes still later is no key (`input/reports.ts`).
 */
export async function askedGround(
  stdin: Input,
  stdout: { write(text: string): unknown },
  clock: Clock = machineClock,
): Promise<Ground | undefined> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let heard = "";
  const hear = () => {
    heard += String(stdin.read() ?? "");
    if (identity.test(heard)) resolve();
  };
  const timer = clock.setTimeout(resolve, patience);
  stdin.setRawMode(true);
  stdin.on("readable", hear);
  stdout.write(question);
  await promise;
  clock.clearTimeout(timer);
  // Who listens next must come after the input has seen that nobody does, or it is never read again and the program ends; the
  // same where it is paused.
  stdin.off("readable", hear);
  await new Promise((resolve) => setImmediate(resolve));
  const typed = heard.replace(background, "").replace(identity, "");
  if (typed !== "") stdin.unshift(Buffer.from(typed));
  return groundIn(heard) ?? groundOfVariable(process.env["COLORFGBG"]);
}

/** The ground in an answer of a terminal; undefined where it says none. */
function groundIn(answer: string): Ground | undefined {
  const [, ...parts] = background.exec(answer) ?? [];
  if (parts.length === 0) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map((part) => (parseInt(part, 16) / (16 ** part.length - 1)) * 255);
  return groundOf([red, green, blue]);
}

function groundOf(colour: Rgb): Ground {
  return contrast(colour, white) > contrast(colour, black) ? "dark" : "light";
}

/** How many colours a terminal has, by its environment. */
export function coloursOf(
  stdout: Pick<NodeJS.WriteStream, "getColorDepth">,
  { STY, TERM = "" }: NodeJS.ProcessEnv = process.env,
): Depth {
  const bits = stdout.getColorDepth();
  const named = TERM.endsWith("-256color") ? 256 : 16;
  // GNU screen before 5 drops what has more, and what the terminal around it says of itself stands in its environment.
  if (STY !== undefined) return named;
  return bits >= 24 ? "true" : bits >= 8 ? 256 : named;
}

/** What some terminals say in `COLORFGBG` (`15;0`: white on black); undefined where it is not set. */
function groundOfVariable(value: string | undefined): Ground | undefined {
  const number = /;(\d{1,2})$/.exec(value ?? "")?.[1];
  if (number === undefined) return undefined;
  return number === "7" || Number(number) > 8 ? "light" : "dark";
}
