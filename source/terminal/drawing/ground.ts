/** Asks the terminal whether its background is dark or light. */
import type { Readable } from "node:stream";
import { contrast, type Ground, type Rgb, black, white } from "../../look/palettes.ts";
import type { Depth } from "../../look/inks.ts";
import { type Clock, machineClock } from "../../engine/work/clock.ts";

/**
 * Requests the background colour (OSC 11) and the device attributes. Every terminal answers the second request, so that a missing
 * reply to both is rare.
 */
const question = "\x1b]11;?\x1b\\\x1b[c";

const escape = "\x1b";
/** `rgb:` with one to four hexadecimal digits per channel; anything after it is specific to the terminal. */
const part = "([0-9a-fA-F]{1,4})";
const background = new RegExp(`${escape}\\]11;rgba?:${part}/${part}/${part}[^\x07${escape}]*(?:\x07|${escape}\\\\)`);
const identity = new RegExp(`${escape}\\[\\?[\\d;]*c`);

/** Milliseconds to wait for an answer; a terminal on another continent needs about half of them. */
const patience = 1_000;

type Input = Readable & { setRawMode(on: boolean): unknown };

/**
 * Queries the background colour of the terminal. Returns input typed in the meantime to the stream. Resolves to undefined if the
 * terminal does not answer. No other code may read the input until then; a later answer is not treated as keys
 * (`input/reports.ts`).
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
  // The next listener must be added after the stream has noticed that it has none; otherwise it is never read again and
  // the program ends. The same applies if it was paused.
  stdin.off("readable", hear);
  await new Promise((resolve) => setImmediate(resolve));
  const typed = heard.replace(background, "").replace(identity, "");
  if (typed !== "") stdin.unshift(Buffer.from(typed));
  return groundIn(heard) ?? groundOfVariable(process.env["COLORFGBG"]);
}

/** Returns the background in a terminal's answer, or undefined if the answer contains none. */
function groundIn(answer: string): Ground | undefined {
  const [, ...parts] = background.exec(answer) ?? [];
  if (parts.length === 0) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map((part) => (parseInt(part, 16) / (16 ** part.length - 1)) * 255);
  return groundOf([red, green, blue]);
}

const groundOf = (colour: Rgb): Ground => (contrast(colour, white) > contrast(colour, black) ? "dark" : "light");

/** Returns how many colours a terminal has according to the environment. */
export function coloursOf(
  stdout: Pick<NodeJS.WriteStream, "getColorDepth">,
  { STY, TERM = "" }: NodeJS.ProcessEnv = process.env,
): Depth {
  const bits = stdout.getColorDepth();
  const named = TERM.endsWith("-256color") ? 256 : 16;
  // GNU screen before version 5 drops true colours, although its environment describes the terminal around it.
  if (STY !== undefined) return named;
  return bits >= 24 ? "true" : bits >= 8 ? 256 : named;
}

/** Reads `COLORFGBG` (`15;0` is white on black), which some terminals set; undefined if it is not set. */
function groundOfVariable(value: string | undefined): Ground | undefined {
  const number = /;(\d{1,2})$/.exec(value ?? "")?.[1];
  if (number === undefined) return undefined;
  return number === "7" || Number(number) > 8 ? "light" : "dark";
}
