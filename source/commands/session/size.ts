/** Sizes as people write them: 600MB, 4GB. */
import { ArgumentProblem } from "../shell/arguments.ts";

const units: Readonly<Record<string, number>> = { MB: 1024 ** 2, GB: 1024 ** 3 };

/** Bytes. Throws `ArgumentProblem` for anything else than a number with its unit. */
export function readSize(flag: string, written: string): number {
  const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(MB|GB)$/.exec(written.toUpperCase()) ?? [];
  const bytes = Math.floor(Number(amount) * (units[unit ?? ""] ?? 0));
  if (bytes > 0) return bytes;
  throw new ArgumentProblem(`Expected \`--${flag}\` to be a size such as 600MB or 4GB, got \`${written}\``);
}
