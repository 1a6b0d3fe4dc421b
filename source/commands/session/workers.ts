/** `planwright workers URL`: lists the workers at a Redis, their load, and the rounds of runs queued there. */
import { programHash } from "../../engine/settings/program-hash.ts";
import { packageVersion } from "../../engine/settings/package-folder.ts";
import type { OwnRedis } from "../../engine/settings/own-redis.ts";
import { readRedisUrl, redisName } from "../../engine/settings/redis-place.ts";
import { counted } from "../../engine/text/counted.ts";
import { printable } from "../../engine/text/printable.ts";
import type { WorkerPresence } from "../../workers/presence.ts";
import type { RoundPresence } from "../../workers/rounds/rounds-at.ts";
import { redisOf } from "../programs/allow-programs.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command, CommandContext } from "../shell/command.ts";
import { printedJson } from "../shell/output.ts";
import { tableText } from "../shell/table-text.ts";
import { userSettings } from "../shell/user-settings.ts";

const flags: Flags = { json: "nothing", rounds: "nothing", end: "text", allow: "text" };

export const workersCommand: Command = {
  name: "workers",
  summary: "list the workers of a Redis server and the rounds of tasks given to them; end a round",
  usage: `planwright workers [URL] [--rounds] [--json] [--end ROUND] [--allow redis://HOST:PORT]

URL       redis://HOST:PORT, or rediss:// for an encrypted connection; by default that of the settings. The password is
          read from PLANWRIGHT_REDIS_PASSWORD, the user from PLANWRIGHT_REDIS_USER
--rounds  lists only the rounds
--json    prints all data of workers, with their unfinished tasks; with --rounds, all data of rounds
--end     aborts the tasks of a round and deletes the round from Redis; the program that reads it stops its run
--allow   allows the password to be sent unencrypted to this Redis on another machine; otherwise you are asked

load: the load of the machine, per processor; tokens/s: the rate received from models over the last minute; ended: the tasks that
ended since the worker started. A killed worker disappears from the list after 10 seconds. A round contains the tasks that a run
gave to the workers together, with its requests and tokens (input and output) so far. The program that executes the run reads
the round; if no program reads it, its workers continue and their results stay in Redis.`,
  takes: ["text"],
  flags,
  async run(args, context) {
    const { positionals, flag, text, texts } = readArguments(args, flags);
    const [given, ...more] = positionals;
    if (more.length > 0) throw new ArgumentProblem(`Expected one address, got ${positionals.length}`);
    const url = await redisOf(given, texts("allow"), await userSettings(context), context);
    const end = text("end");
    if (end !== undefined) return endRound(url, end, context);
    const { roundsAt } = await import("../../workers/rounds/rounds-at.ts");
    if (flag("rounds")) {
      const rounds = await roundsAt(url);
      context.stdout(flag("json") ? printedJson(rounds, 2) : roundsText(rounds, url));
      return 0;
    }
    const { workersAt } = await import("../../workers/presence.ts");
    const workers = await workersAt(url);
    if (flag("json")) context.stdout(printedJson(workers, 2));
    else {
      const rounds = await roundsAt(url);
      context.stdout(workersText(workers, url, await programHash()));
      if (rounds.length > 0) context.stdout(`\n${roundsText(rounds, url)}`);
    }
    return 0;
  },
};

async function endRound(url: OwnRedis, round: string, context: CommandContext): Promise<number> {
  const place = redisName(readRedisUrl(url));
  const rounds = await import("../../workers/rounds/rounds-at.ts");
  const ended = await rounds.endRound(url, round);
  if (ended === undefined) {
    const known = (await rounds.roundsAt(url)).map((each) => printable(each.round));
    const expected = known.length === 0 ? ", but no round exists" : ` (${known.join(", ")})`;
    throw new ArgumentProblem(`Expected a round at ${place}${expected}, got \`${round}\``);
  }
  const how = ended === "here" ? "no program was reading it" : "the program that read it stopped its run";
  context.stdout(`Ended round ${printable(round)}: ${how}\n`);
  return 0;
}

const heads = ["worker", "running", "load", "tokens/s", "ended", "failed", "version", "executes"];

/**
 * Returns the workers as a table below a summary line. `program` is the hash of this program, which can differ from that of a
 * worker.
 */
export function workersText(workers: readonly WorkerPresence[], url: string, program: string): string {
  const place = redisName(readRedisUrl(url));
  if (workers.length === 0) return `No worker is connected to ${place}; start one with \`planwright worker ${url}\`\n`;
  const sum = (of: (worker: WorkerPresence) => number) => workers.reduce((total, worker) => total + of(worker), 0);
  const held = sum(({ tasks }) => tasks.length);
  const rate = sum(({ tokensPerSecond }) => tokensPerSecond);
  const head = `${counted(workers.length, "worker")} at ${place}: ${held} of at most ${counted(
    sum(({ concurrency }) => concurrency),
    "task",
  )} running, ${rate.toFixed(0)} tokens/s\n`;
  const table = tableText([heads, ...workers.map(cellsOf)], (column) => column >= 1 && column <= 5);
  const others = workers.filter((worker) => worker.version !== packageVersion() || worker.program !== program);
  const differs =
    others.length === 0
      ? ""
      : `${counted(others.length, "worker")} of another version or build than this program (${packageVersion()}) will reject runs of this program\n`;
  return `${head}\n${table}${differs}`;
}

const roundHeads = ["round", "age", "left", "requests", "tokens", "read by"];

/** Returns the rounds as a table below a summary line. */
export function roundsText(rounds: readonly RoundPresence[], url: string): string {
  const place = redisName(readRedisUrl(url));
  if (rounds.length === 0) return `There are no rounds at ${place}\n`;
  const unread = rounds.filter(({ reader }) => reader === null).length;
  const nobody =
    unread === 0 ? "" : `, ${unread} of them without a reader (end one with \`planwright workers ${url} --end ROUND\`)`;
  const table = tableText([roundHeads, ...rounds.map(roundCells)], (column) => column >= 1 && column <= 4);
  return `${counted(rounds.length, "round")} at ${place}${nobody}\n\n${table}`;
}

const roundCells = ({ round, age, tasks, left, requests, tokens, reader }: RoundPresence) =>
  [
    round,
    ageText(age),
    left === null ? "?" : `${left} of ${tasks}`,
    String(requests),
    String(tokens),
    reader === null ? "nobody" : `${reader.host}: ${reader.folder}`,
  ].map(printable);

/** Returns a duration in the largest unit of which it has at least two. */
function ageText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** Maximum number of tasks named; the rest are counted. */
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
