/**
 * Identifies this process, so that another process, perhaps on another machine or in another container, can determine whether it
 * still runs.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { fallback } from "../work/fallback.ts";

/** Values unknown on a system are undefined. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Start in clock ticks since the machine's, because process ids are reused. */
  readonly started: string | undefined;
  readonly host: string | undefined;
  /** The kernel's id of the current start of the machine, the same in all its containers. */
  readonly boot: string | undefined;
  /** The namespace of its process id, which differs between containers. */
  readonly namespace: string | undefined;
};

export const thisProcess = () => ({ ...processIdentity(process.pid), started: statOf("self")?.started });

/** Returns the identity of a process that was started from here. */
export const processIdentity = (pid: number): ProcessIdentity => ({
  pid,
  started: seesOwnNamespace() ? statOf(String(pid))?.started : undefined,
  host: hostname().replace(/\s/g, "-") || undefined,
  boot: read("/proc/sys/kernel/random/boot_id"),
  namespace: namespace(),
});

/**
 * Returns whether a process runs; undefined if that cannot be determined, because it was started on another machine, before a
 * restart, or in another container.
 */
export function isAlive({ pid, started, host, boot, namespace: among }: ProcessIdentity): boolean | undefined {
  const here = thisProcess();
  const sameMachine = boot === undefined ? host === undefined || host === here.host : boot === here.boot;
  if (!sameMachine || (among !== undefined && among !== here.namespace)) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const now = seesOwnNamespace() ? statOf(String(pid)) : undefined;
  // A killed process keeps its id until its parent waits for it, which never happens in a container without an init.
  if (now?.state === "Z" || now?.state === "X") return false;
  return started === undefined || now === undefined || started === now.started;
}

/** Returns one line of words. */
export const identityLine = ({ pid, started, host, boot, namespace: among }: ProcessIdentity): string =>
  [String(pid), started, host, boot, among].map((word) => word ?? "-").join(" ");

/** Parses an identity, also from lines of version 0.1.0, which have only one or two words. Returns undefined for other text. */
export function identityIn(line: string): ProcessIdentity | undefined {
  const [pid, started, host, boot, among] = line
    .trim()
    .split(" ")
    .map((word) => (word === "-" ? undefined : word));
  if (pid === undefined || !/^[1-9]\d{0,14}$/.test(pid)) return undefined;
  return { pid: Number(pid), started, host, boot, namespace: among };
}

/** Returns a process's state, one letter, and its start; undefined if there is no `/proc`, or if the process is not in it. */
function statOf(process: string) {
  // The second field is the program's name in brackets, which may itself contain blanks and brackets.
  const fields = read(`/proc/${process}/stat`)?.split(") ").at(-1)?.split(" ");
  return fields && { state: fields[0], started: fields[19] };
}

/** `/proc` may show the processes of another namespace if it was not mounted again. */
const seesOwnNamespace = (): boolean => link("/proc/self") === String(process.pid);

const namespace = () => link("/proc/self/ns/pid")?.replace(/\s/g, "-");

const read = (path: string): string | undefined => fallback(() => readFileSync(path, "utf8").trim());

const link = (path: string): string | undefined => fallback(() => readlinkSync(path));
