/** `planwright index DIR`: writes the rows of all runs below a folder as Parquet, for `planwright query`. */
import { counted } from "../../engine/text/counted.ts";
import { indexFolder } from "../../engine/workbench/library/index-folder.ts";
import { indexRuns } from "../../engine/workbench/library/run-index.ts";
import { type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { userSettings } from "../shell/user-settings.ts";
import { oneFolder } from "./list.ts";

const flags: Flags = {};

export const indexCommand: Command = {
  name: "index",
  summary: "write the rows of all runs below a folder as Parquet for queries",
  usage: `planwright index [DIR]

Writes the rows of every run below DIR (default: the current folder) to DIR/.planwright/rows as Parquet, partitioned by benchmark and
run. Only new and changed runs are written; files of removed runs are deleted. The command needs the package
\`hyparquet-writer\`. Answers, prompts and replies are not written.`,
  takes: ["folder"],
  flags,
  async run(args, context) {
    const folder = oneFolder(readArguments(args, flags).positionals);
    const counts = { written: 0, kept: 0, empty: 0, unread: 0 };
    let rows = 0;
    for await (const { outcome, notebook, run, rows: more = 0, message } of indexRuns(
      folder,
      { suites: context.suites, settings: await userSettings(context) },
      context.signal,
    )) {
      counts[outcome] += 1;
      rows += more;
      if (message !== undefined) context.stderr(`${notebook} ${run}: ${message}\n`);
      else if (outcome === "written") context.stderr(`${notebook} ${run}: ${counted(more, "row")}\n`);
    }
    const { written, kept, empty, unread } = counts;
    const others = [
      `${kept} unchanged`,
      ...(empty > 0 ? [`${empty} without rows`] : []),
      ...(unread > 0 ? [`${unread} unreadable`] : []),
    ];
    context.stdout(
      `${indexFolder(folder)}: ${counted(written, "run")} written (${counted(rows, "row")}), ${others.join(", ")}\n`,
    );
    return unread > 0 ? 1 : 0;
  },
};
