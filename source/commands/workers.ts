/** `planwright workers URL`: which workers live at a Redis, and how they are doing. */
import { packageVersion } from "../engine/settings/package-folder.ts";
import { readRedisUrl, redisName } from "../engine/settings/redis-place.ts";
import { counted } from "../engine/text/counted.ts";
import { pad, printable, width } from "../engine/text/printable.ts";
import type { WorkerPresence } from "../workers/presence.ts";
import { redisOf } from "./allow-programs.ts";
import { ArgumentProblem, type Flags, readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { printedJson } from "./output.ts";
import { userSettings } from "./user-settings.ts";

const flags: Flags = { json: "nothing", allow: "text" };

export const workersCommand: Command = {
  name: "workers",
  summary: "list the workers at a Redis: what they execute, their load, tokens a second and failures",
  usage: `planwright workers [URL] [--json] [--allow redis://HOST:PORT]

URL     redis://HOST:PORT, or rediss:// for an encrypted connection; without it the one in the settings. The password is
        read from PLANWRIGHT_REDIS_PASSWORD, the user from PLANWRIGHT_REDIS_USER
--json  all that workers say of themselves, with the tasks they have in hand
--allow the password may be sent unencrypted to this Redis on another machine, from now on; without it you are asked

load is the machine's, for each of its processors; tokens/s is what models sent it over the last minute; ended are tasks
since it was started. A worker that is killed is gone from the list 10 seconds later.`,
  takes: ["text"],
  flags,
  async run(args, context) {
    const { positionals, flag, texts } = readArguments(args, flags);
    const [given, ...more] = positionals;
    if (more.length > 0) throw new ArgumentProblem(`Expected one address, got ${positionals.length}`);
    const url = await redisOf(given, texts("allow"), await userSettings(context), context);
    const { workersAt } = await import("../workers/workers-at.ts");
    const workers = await workersAt(url);
    context.stdout(flag("json") ? printedJson(workers, 2) : workersText(workers, url));
    return 0;
  },
};

const heads = ["worker", "in hand", "load", "tokens/s", "ended", "failed", "version", "executes"];

/** The workers as a table, with a line about all of them above it. */
export function workersText(workers: readonly WorkerPresence[], url: string): string {
  const place = redisName(readRedisUrl(url));
  if (workers.length === 0) return `No worker lives at ${place}: \`planwright worker ${url}\` starts one\n`;
  const sum = (of: (worker: WorkerPresence) => number) => workers.reduce((total, worker) => total + of(worker), 0);
  const held = sum(({ tasks }) => tasks.length);
  const rate = sum(({ tokensPerSecond }) => tokensPerSecond);
  const head = `${counted(workers.length, "worker")} at ${place}: ${held} of ${counted(
    sum(({ concurrency }) => concurrency),
    "task",
  )} in hand, ${rate.toFixed(0)} tokens/s\n`;
  const rows = [heads, ...workers.map(cellsOf)];
  const columns = heads.map((_, column) => Math.max(...rows.map((row) => width(row[column]!))));
  const lines = rows.map((row) =>
    row.map((text, column) => pad(text, columns[column]!, isNumber(column) ? "right" : "left")).join("  "),
  );
  const others = workers.filter(({ version }) => version !== packageVersion());
  const differs =
    others.length === 0
      ? ""
      : `This is version ${packageVersion()}: ${counted(others.length, "worker")} of another one will refuse its runs\n`;
  return `${head}\n${lines.map((line) => `${line.trimEnd()}\n`).join("")}${differs}`;
}

const isNumber = (column: number) => column >= 1 && column <= 5;

/** So many tasks are named; the rest are counted. */
const mostNamed = 3;

function cellsOf({ name, concurrency, load, tokensPerSecond, ended, failed, version, tasks }: WorkerPresence) {
  const named = tasks.slice(0, mostNamed).map(({ task }) => task);
  const rest = tasks.length > mostNamed ? [`${tasks.length - mostNamed} more`] : [];
  return [
    name,
    `${tasks.length} of ${concurrency}`,
    load.toFixed(2),
    tokensPerSecond.toFixed(0),
    String(ended),
    String(failed),
    version,
    [...named, ...rest].join(", "),
  ].map(printable);
}
