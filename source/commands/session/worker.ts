/** `planwright worker URL`: executes tasks of runs that others have given to the workers of a Redis. */
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
  summary: "execute tasks of runs that were given to the workers of a Redis",
  usage: `planwright worker [URL] [--concurrency N] [--lock SECONDS] [--allow redis://HOST:PORT]

URL            redis://HOST:PORT, or rediss:// for an encrypted connection; without it the one in the settings. The password is
               read from PLANWRIGHT_REDIS_PASSWORD, the user from PLANWRIGHT_REDIS_USER
--concurrency  tasks at a time (${usualConcurrency})
--lock         seconds after which the tasks of a worker that is gone are given to others (${usualLock})
--allow        the password may be sent unencrypted to this Redis on another machine, from now on; without it you are asked

It asks the endpoints of this machine's own settings, with the data of this machine and the code of yours it is started with;
where these are others than those of a run, it does not take part and says why. A Redis that is away is waited for. An interruption
gives back what is in hand.`,
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
      say(`Worker ${worker.name} executes ${counted(concurrency, "task")} at a time; an interruption ends it`);
      await worker.run(context.signal);
    } catch (error) {
      // Told to end while it waited for Redis.
      if (error !== context.signal.reason) throw error;
    }
    return 0;
  },
};
