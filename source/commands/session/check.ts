/** `planwright check SESSION`: compares the logs of a session with their checksums and reads all their lines. */
import { checkLog, type LogCheck } from "../../engine/log/file/log-check.ts";
import { damageText } from "../../engine/log/file/log-damage.ts";
import { counted } from "../../engine/text/counted.ts";
import { printable } from "../../engine/text/printable.ts";
import { readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { oneSession, savedSession } from "./open-session.ts";

export const checkCommand: Command = {
  name: "check",
  summary: "check the logs of a session against their checksums",
  usage: `planwright check SESSION

Prints a line for each run: the number of events in its log, and what is wrong with it: changed blocks, unreadable or duplicate
lines, missing events, a missing end. Below this line, up to 100 lines list messages that Redis contained but no worker
of this program wrote; they are not in the log and do not count as errors. Nothing is written, and the session may be open elsewhere.
Ends with status 1 if anything is wrong.`,
  takes: ["session"],
  flags: {},
  async run(args, context) {
    const { positionals } = readArguments(args, {});
    const folder = savedSession(oneSession(positionals));
    let status = 0;
    for (const run of folder.runs()) {
      try {
        const check = await checkLog(folder.run(run), context.signal);
        if (check === undefined) continue;
        const wrong = damageText(check.damage);
        if (wrong !== undefined) status = 1;
        context.stdout(`${printable(run)}  ${counted(check.events, "event")}: ${wrong ?? checkedText(check)}\n`);
        for (const refused of check.refused) context.stdout(`${printable(run)}  ${refusedText(refused)}\n`);
      } catch (error) {
        context.signal.throwIfAborted();
        // For example a folder in its place: the other runs are checked all the same.
        status = 1;
        context.stdout(`${printable(run)}  its log cannot be read: ${printable((error as Error).message)}\n`);
      }
    }
    return status;
  },
};

/** Returns the result of the check as text. Version 0.1.0 wrote no checksums; they are added when the session is next opened. */
function checkedText({ bytes, checked }: LogCheck): string {
  if (checked === bytes) return "unchanged since it was written";
  const share =
    checked === 0
      ? "the log has no checksums yet"
      : `the last ${counted(bytes - checked, "byte")} have no checksum yet`;
  return `no error found; ${share}`;
}

function refusedText({ message, of: { task, worker } = {} }: LogCheck["refused"][number]): string {
  const [by, about] = [worker === undefined ? "" : ` of ${worker}`, task === undefined ? "" : ` about task ${task}`];
  return printable(`a message${by}${about} was rejected: ${message}`);
}
