/** Times as people write them on a command line. */
import { ArgumentProblem } from "./arguments.ts";

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Timers count no further. */
const mostDays = 24;

/** `90s`, `30m`, `2h`, `1d` or `1h30m` in milliseconds. Throws `ArgumentProblem` naming the flag. */
export function readDuration(flag: string, written: string): number {
  const parts = [...written.matchAll(/(\d{1,9}(?:\.\d{1,9})?)([smhd])/g)];
  const whole = parts.map(([part]) => part).join("");
  const sum = parts.reduce((total, [, amount, unit]) => total + Number(amount) * units[unit!]!, 0);
  if (whole === written && sum > 0 && sum <= mostDays * units["d"]!) return sum;
  throw new ArgumentProblem(
    `Expected \`--${flag}\` to be a time such as 90s, 30m, 2h or 1h30m, at most ${mostDays} days, got \`${written}\``,
  );
}
