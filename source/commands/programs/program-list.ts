/** `planwright tools`, `agents` and `processes`: list and change the user's programs, their variables and their limits. */
import { separator } from "../../look/signs.ts";
import { allowedAs } from "../../engine/run/programs/program-identity.ts";
import { looksLikeKey, shownName } from "../../engine/settings/secret.ts";
import type { Settings, SettingsStore } from "../../engine/settings/settings.ts";
import { noSuchProgram, type UserProgram } from "../../engine/settings/user-program.ts";
import { printable } from "../../engine/text/printable.ts";
import { type Arguments, ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { CommandContext } from "../shell/command.ts";
import { printedJson } from "../shell/output.ts";
import { userSettings } from "../shell/user-settings.ts";

/** Flags that both commands have. */
export const programFlags: Flags = {
  env: "text",
  seconds: "text",
  megabytes: "text",
  keep: "nothing",
  replace: "nothing",
  json: "nothing",
};

export const programUsage = `--env        environment variables that the program receives in addition to PATH, HOME and similar ones: NAME, or NAME=VARIABLE to pass
             the value of VARIABLE as NAME. Only the names are saved, never the values
--keep       one process for all tasks instead of one per task
--seconds    time limit of each start and each call
--megabytes  memory limit, including all processes it starts; 4000 by default
--replace    replaces an existing entry of this name`;

/** Reads arguments before `--` as flags, and arguments after it as the command. Throws `ArgumentProblem` for invalid flags. */
function readProgramArguments(
  args: readonly string[],
  flags: Flags,
): { readonly read: Arguments; readonly command: readonly string[] | undefined } {
  const end = args.indexOf("--");
  const [own, command] = end < 0 ? [args, undefined] : [args.slice(0, end), args.slice(end + 1)];
  if (command?.length === 0) throw new ArgumentProblem("Expected a command after `--`, got none");
  return { read: readArguments(own, flags), command };
}

/** Returns the program that the flags describe, started in the current folder. Throws `ArgumentProblem`. */
export function programOf(
  name: string,
  read: Arguments,
  command: readonly string[] | undefined,
  usualSeconds: number,
): UserProgram {
  refuseKeys(command ?? [], "the command");
  const environment = variables(read.text("env"), "env");
  return {
    name,
    ...(command === undefined ? {} : { command, folder: process.cwd() }),
    ...(environment === undefined ? {} : { environment }),
    ...(read.flag("keep") ? { kept: true } : {}),
    seconds: read.number("seconds", { least: 0.001, most: 86_400 }) ?? usualSeconds,
    megabytes: read.number("megabytes", { least: 1 }) ?? 4000,
  };
}

/** Parses `NAME` or `NAME=VARIABLE`, separated by commas. Throws `ArgumentProblem` if a key is given in place of a name. */
export function variables(text: string | undefined, flag: string): Readonly<Record<string, string>> | undefined {
  if (text === undefined) return undefined;
  const pairs = text.split(",").map((part) => part.trim().split("=", 2));
  refuseKeys(
    pairs.map(([name, variable = name]) => variable!).filter((variable) => process.env[variable] === undefined),
    `\`--${flag}\``,
  );
  return Object.fromEntries(pairs.map(([name, variable = name]) => [name!, variable!]));
}

/** Rejects keys, because every value is saved in the settings and shown when the user is asked for permission. */
function refuseKeys(given: readonly string[], where: string): void {
  const parts = given.flatMap((text) => text.split("=")).filter((part) => !part.includes("/"));
  if (parts.some(looksLikeKey))
    throw new ArgumentProblem(
      `Expected ${where} to be without keys, got what looks like a key: put it into an environment variable and name the variable in \`--env\``,
    );
}

/** Returns a program on one line. */
export function programLine(program: UserProgram, where: string): string {
  const { name, folder, environment = {}, kept, seconds, megabytes } = program;
  return [
    `${name}  ${where}`,
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...Object.entries(environment).map(
      ([its, ours]) => `variable ${its === ours ? its : `${its} from ${shownName(ours)}`}`,
    ),
    ...(kept === true ? ["one process for all tasks"] : []),
    // A program on another machine uses that machine's memory.
    `at most ${seconds} s${folder === undefined ? "" : ` and ${megabytes} MB`}`,
  ].join(separator);
}

/** Describes the user's agents, tool servers or processes: their field in the settings and the texts of their command. */
export type ProgramList<Program extends UserProgram = UserProgram> = {
  readonly command: "agents" | "tools" | "processes";
  /** The kind with its article, as in "a tool server". */
  readonly kind: string;
  /** Text printed for an empty list. */
  readonly none: string;
  of(settings: Settings): readonly Program[];
  /** Returns these programs as a part of the settings. */
  kept(programs: readonly Program[]): Partial<Settings>;
  /** Returns a program as lines of text. */
  text(program: Program): string;
  /** Resolves to the exit status. Throws `ArgumentProblem`. */
  add(name: string, read: Arguments, command: Command, store: SettingsStore, context: CommandContext): Promise<number>;
  /** Tests a program; absent if such programs cannot be tested. */
  test?(program: Program, store: SettingsStore, context: CommandContext): Promise<number>;
  /** Removes the files that are stored for a program next to the settings; absent if nothing is stored. */
  removed?(program: Program, store: SettingsStore): void;
};

type Command = readonly string[] | undefined;

/** `planwright agents`, `tools` and `processes`: adds, lists, tests or removes programs. Resolves to the exit status. */
export async function programCommand<Program extends UserProgram>(
  list: ProgramList<Program>,
  args: readonly string[],
  flags: Flags,
  context: CommandContext,
): Promise<number> {
  const { read, command } = readProgramArguments(args, flags);
  const store = await userSettings(context);
  const [verb, name, ...more] = read.positionals;
  if (verb === "list" && name === undefined) return printPrograms(list, store, read.flag("json"), context);
  const verbs = ["add", "list", ...(list.test === undefined ? [] : ["test"]), "remove"];
  if (verb === undefined || verb === "list" || !verbs.includes(verb) || more.length > 0)
    throw new ArgumentProblem(
      `Expected ${verbs.slice(0, -1).join(", ")} or remove, got \`${read.positionals.join(" ")}\``,
    );
  if (name === undefined) throw new ArgumentProblem(`Expected \`${list.command} ${verb} NAME\`, got no name`);
  if (verb === "add") return list.add(name, read, command, store, context);
  const program = named(list.of(store.read()), name, list.kind);
  if (verb === "test") return list.test!(program, store, context);
  store.change((settings) => ({
    ...settings,
    ...list.kept(list.of(settings).filter((each) => each.name !== name)),
    ...forgotten(settings, allowedAs(program)),
  }));
  list.removed?.(program, store);
  context.stdout(`Removed ${name}\n`);
  return 0;
}

function printPrograms<Program extends UserProgram>(
  list: ProgramList<Program>,
  store: SettingsStore,
  json: boolean,
  { stdout }: CommandContext,
): number {
  const programs = list.of(store.read());
  if (json) stdout(printedJson(programs, 2));
  else if (programs.length === 0) stdout(`${list.none}\n`);
  else for (const line of programs.flatMap((each) => list.text(each).split("\n"))) stdout(`${printable(line)}\n`);
  return 0;
}

/** Returns the settings with a program, which replaces a program of the same name. */
export const withProgram = <Program extends UserProgram>(
  { of, kept }: ProgramList<Program>,
  settings: Settings,
  program: Program,
): Settings => ({ ...settings, ...kept([...of(settings).filter(({ name }) => name !== program.name), program]) });

/** Returns the named program. Throws `ArgumentProblem` with the known names; `kind` as in "a tool server". */
function named<Program extends UserProgram>(programs: readonly Program[], name: string, kind: string): Program {
  const program = programs.find((each) => each.name === name);
  if (program === undefined) throw new ArgumentProblem(noSuchProgram(programs, name, kind));
  return program;
}

/** Throws `ArgumentProblem` if a program has the name and `replace` is not set. */
export function refuseTaken<Program extends UserProgram>(
  { of, kind }: ProgramList<Program>,
  settings: Settings,
  name: string,
  read: Arguments,
): void {
  if (!read.flag("replace") && of(settings).some((each) => each.name === name))
    throw new ArgumentProblem(`There is already ${kind} \`${name}\`; replace it with \`--replace\``);
}

/** Withdraws the permission for a program in all folders. */
function forgotten({ allowed = {} }: Settings, identity: string): Pick<Settings, "allowed"> {
  const folders = Object.entries(allowed).map(
    ([folder, identities]) => [folder, identities.filter((each) => each !== identity)] as const,
  );
  return { allowed: Object.fromEntries(folders.filter(([, identities]) => identities.length > 0)) };
}
