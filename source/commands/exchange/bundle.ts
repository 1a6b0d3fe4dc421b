/**
 * `planwright bundle SESSION FILE.tgz` and `planwright open FILE.tgz`: write a notebook to a file for another person, and open
 * such a file.
 */
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { counted } from "../../engine/text/counted.ts";
import { printable } from "../../engine/text/printable.ts";
import { ArgumentProblem, type Flags, readArguments, readSize } from "../shell/arguments.ts";
import { SessionFolder } from "../../engine/session/session-folder.ts";
import { filesOfCode } from "../session/notebook-code.ts";
import type { Command } from "../shell/command.ts";
import { userSettings } from "../shell/user-settings.ts";
import { savedSession, withSession } from "../session/open-session.ts";

const flags: Flags = {};

export const bundleCommand: Command = {
  name: "bundle",
  summary: "write a notebook with its runs and files as one archive",
  usage: `planwright bundle SESSION FILE.tgz

Writes the saved notebook, the packed logs of its runs, corrections, its own files (questions, prompts, code, labels) and a report as
one archive, and prints the names of all files. The archive omits hidden files, links, exports and everything that can be recreated.
It contains no keys and no addresses of endpoints; it names installed data, tool servers and agents with their hashes. If a
cell used installed data, the archive's notebook names the data. \`planwright open FILE.tgz\` opens the archive.`,
  takes: ["session", "file"],
  flags,
  async run(args, context) {
    const [session, file, ...more] = readArguments(args, flags).positionals;
    if (session === undefined || file === undefined || more.length > 0)
      throw new ArgumentProblem(`Expected a session and a file, got \`${args.join(" ")}\``);
    if (!/\.(tgz|tar\.gz)$/.test(file)) throw new ArgumentProblem(`Expected a file named FILE.tgz, got \`${file}\``);
    const settings = (await userSettings(context)).read();
    const folder = savedSession(session);
    return withSession(session, context, {}, async (workbench) => {
      const { writeBundle } = await import("../../engine/workbench/bundle/write-bundle.ts");
      const { signal } = context;
      const names = await writeBundle(resolve(file), { workbench, folder, settings, signal });
      for (const name of names) context.stdout(`  ${printable(name)}\n`);
      context.stdout(`${printable(resolve(file))}: ${counted(names.length, "file")}\n`);
      return 0;
    });
  },
};

const openFlags: Flags = { most: "text" };

export const openCommand: Command = {
  name: "open",
  summary: "unpack a bundled notebook, and list what is missing to run it again",
  usage: `planwright open FILE.tgz [DIR] [--most SIZE]

Unpacks an archive of \`planwright bundle\` into DIR, which must be new or empty; by default into a new folder with the notebook's
name. The runs, figures and report of the notebook can be read at once. Nothing in it is executed. Prints which endpoints,
data, tool servers and agents this machine lacks to run it again.

--most  rejects an archive that unpacks to more than this, such as 4GB (default 512MB)`,
  takes: ["file", "folder"],
  flags: openFlags,
  async run(args, context) {
    const { positionals, text } = readArguments(args, openFlags);
    const [file, dir, ...more] = positionals;
    if (file === undefined || more.length > 0)
      throw new ArgumentProblem(`Expected a bundle and optionally a folder, got \`${args.join(" ")}\``);
    const settings = await userSettings(context);
    const most = text("most");
    const folder = resolve(dir ?? freeName(basename(file).replace(/\.(tgz|tar\.gz)$/, "")));
    const { readBundle } = await import("../../engine/workbench/bundle/read-bundle.ts");
    const { missingFor } = await import("../../engine/workbench/bundle/bundle-contents.ts");
    const contents = await readBundle(
      resolve(file),
      folder,
      most === undefined ? {} : { most: readSize("most", most) },
    );
    context.stdout(`${printable(folder)}: made with Planwright ${printable(contents.planwright)}\n`);
    const missing = missingFor(contents, { suites: context.suites, settings: settings.read() });
    if (missing.length > 0) context.stdout("To run it again, this machine lacks:\n");
    for (const line of missing) context.stdout(`  ${printable(line)}\n`);
    const code = filesOfCode(new SessionFolder(folder)).map((name) => `--allow ${name}`);
    if (code.length > 0)
      context.stdout(
        `The notebook contains code. Read it first, then allow it with: planwright run ${printable(`${folder} ${code.join(" ")}`)}\n`,
      );
    context.stdout(`Read it with: planwright ${printable(folder)}\n`);
    return 0;
  },
};

/** Returns a name that nothing in the current folder has. */
function freeName(name: string): string {
  for (let number = 2, free = name; ; number += 1) {
    if (!existsSync(free)) return free;
    free = `${name}-${number}`;
  }
}
