/** Runs the program and looks at its resident memory until it ends (on Linux); elsewhere its memory is unknown. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { program } from "./child-program.ts";

/** `log`: bytes of the session's first log; `resident`: MB; `at`: seconds since the program began. */
type Look = { readonly at: number; readonly log: number; readonly resident: number };
export type Watched = {
  readonly looks: readonly Look[];
  readonly seconds: number;
  /** Seconds from the signal to the end; undefined if it ended by itself. */
  readonly leaving: number | undefined;
};

/** Milliseconds between two looks. */
const pause = 250;

export function logOf(session: string): string | undefined {
  try {
    const [run] = readdirSync(join(session, "runs"));
    return run && join(session, "runs", run, "events.jsonl");
  } catch {
    return undefined;
  }
}

export function logBytes(session: string): number {
  const path = logOf(session);
  return (path && statSync(path, { throwIfNoEntry: false })?.size) || 0;
}

/** The memory now, or the highest since the program began (`VmHWM`). */
export function residentMegabytes(pid: number, which: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const found = new RegExp(`^${which}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1] ?? 0) / 1024;
}

/** Sends SIGTERM once `isEnough`. Throws what the program says if it fails by itself. */
export async function watched(
  session: string,
  args: readonly string[],
  isEnough: (log: number) => boolean = () => false,
): Promise<Watched> {
  const from = performance.now();
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said = (said + text.toString()).slice(-2_000)));
  const looks: Look[] = [];
  let signalled: number | undefined;
  const timer = setInterval(() => {
    const log = logBytes(session);
    try {
      looks.push({ at: (performance.now() - from) / 1000, log, resident: residentMegabytes(child.pid!) });
    } catch {
      // It has just ended.
    }
    if (signalled !== undefined || !isEnough(log)) return;
    signalled = performance.now();
    child.kill("SIGTERM");
  }, pause);
  const status = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  clearInterval(timer);
  const now = performance.now();
  if (status !== 0 && signalled === undefined) throw new Error(`${args.join(" ")} ended with ${status}:\n${said}`);
  return { looks, seconds: (now - from) / 1000, leaving: signalled && (now - signalled) / 1000 };
}

export const peakOf = (looks: readonly Look[]): number => Math.max(...looks.map(({ resident }) => resident));

/** Returns the highest resident memory while the log has these shares of its final bytes. */
export function peakWithin({ looks }: Watched, bytes: number, from: number, to: number): number {
  const within = looks.filter(({ log }) => log >= from * bytes && log <= to * bytes);
  return peakOf(within.length > 0 ? within : looks);
}
