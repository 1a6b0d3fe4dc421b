/** `planwright worker URL`: executes tasks of runs that others gave to the workers of a Redis. */
import { counted } from "../../engine/text/counted.ts";
import { printable } from "../../engine/text/printable.ts";
import { redisOf } from "../programs/allow-programs.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { userSettings } from "../shell/user-settings.ts";

const flags: Flags = { concurrency: "text", lock: "text", allow: "text" };

const usualConcurrency = 8;
const usualLock = 30;

export const workerCommand: Command = {
  name: "worker",
  summary: "execute tasks that runs give to workers through Redis",
  usage: `planwright worker [URL] [--concurrency N] [--lock SECONDS] [--allow redis://HOST:PORT]

URL            redis://HOST:PORT, or rediss:// for an encrypted connection; by default that of the settings. The password is
               read from PLANWRIGHT_REDIS_PASSWORD, the user from PLANWRIGHT_REDIS_USER
--concurrency  tasks at a time (${usualConcurrency})
--lock         seconds after which other workers get the tasks of a lost worker (${usualLock})
--allow        allows the password to be sent unencrypted to this Redis on another machine; otherwise you are asked

A worker uses this machine's settings and data, and your own code that it was started with. If these differ from those of a run,
the worker rejects the run and reports why. If Redis is unreachable, it waits. If it is interrupted, it returns its unfinished tasks.`,
  takes: ["text"],
  flags,
  async run(args, context) {
    const { positionals, number, texts } = readArguments(args, flags);
    const [given, ...more] = positionals;
    if (more.length > 0) throw new ArgumentProblem(`Expected one address, got ${positionals.length}`);
    const concurrency = number("concurrency", { least: 1, whole: true }) ?? usualConcurrency;
    const lock = (number("lock", { least: 1 }) ?? usualLock) * 1000;
    const settings = await userSettings(context);
    const url = await redisOf(given, texts("allow"), settings, context);
    const { WorkerProcess } = await import("../../workers/worker-process.ts");
    const say = (line: string) => context.stderr(`${printable(line)}\n`);
    const { suites, own } = context;
    const options = { url, concurrency, lock, suites, own, settings, say };
    try {
      const worker = await WorkerProcess.start(options, context.signal);
      say(`Worker ${worker.name} executes ${counted(concurrency, "task")} at a time; Ctrl+C ends it`);
      await worker.run(context.signal);
    } catch (error) {
      // Interrupted while waiting for Redis.
      if (error !== context.signal.reason) throw error;
    }
    return 0;
  },
};
