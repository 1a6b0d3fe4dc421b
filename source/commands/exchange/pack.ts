/** `planwright pack SESSION`: compresses the logs of finished runs. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkLog } from "../../engine/log/file/log-check.ts";
import { damageText } from "../../engine/log/file/log-damage.ts";
import { packedPath, packLog } from "../../engine/log/file/packed-log.ts";
import { printable } from "../../engine/text/printable.ts";
import { machineClock } from "../../engine/work/clock.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { oneSession, savedSession } from "../session/open-session.ts";

const flags: Flags = { "take-over": "nothing" };

export const packCommand: Command = {
  name: "pack",
  summary: "compress the logs of a session's finished runs",
  usage: `planwright pack SESSION [--take-over]

Replaces \`events.jsonl\` of every finished run by \`events.jsonl.gz\`, which any gzip program reads. A packed run opens and reads
as before; executing or scoring it again unpacks it. A damaged log is left unchanged, and the status is then 1. --take-over takes
over the session from a program that is alive but has not answered for a minute.`,
  takes: ["session"],
  flags,
  async run(args, context) {
    const { positionals, flag } = readArguments(args, flags);
    const folder = savedSession(oneSession(positionals));
    const held = folder.lock(flag("take-over"));
    if (held !== undefined) throw new ArgumentProblem(held);
    folder.watch(machineClock, () => {});
    try {
      let status = 0;
      for (const run of folder.runs()) {
        const log = join(folder.run(run), "events.jsonl");
        if (!existsSync(log)) continue;
        const check = await checkLog(folder.run(run), context.signal);
        const wrong = check && damageText(check.damage);
        if (wrong !== undefined) status = 1;
        folder.checkInPlace();
        const kept = wrong ?? (check?.done === true ? undefined : "the run is not finished");
        context.stdout(`${printable(run)}  ${kept === undefined ? packed(log) : `left unchanged: ${kept}`}\n`);
      }
      return status;
    } finally {
      folder.unlock();
    }
  },
};

function packed(log: string): string {
  const before = statSync(log).size;
  packLog(log);
  return `${megabytes(before)} packed into ${megabytes(statSync(packedPath(log)).size)}`;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
