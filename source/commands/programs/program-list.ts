/** `planwright tools` and `planwright agents`: the user's programs, what each is given, and what it may take. */
import { allowedAs } from "../../engine/run/programs/program-identity.ts";
import { looksLikeKey, shownName } from "../../engine/settings/secret.ts";
import type { Settings, SettingsStore } from "../../engine/settings/settings.ts";
import { noSuchProgram, type UserProgram } from "../../engine/settings/user-program.ts";
import { printable } from "../../engine/text/printable.ts";
import { type Arguments, ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { CommandContext } from "../shell/command.ts";
import { printedJson } from "../shell/output.ts";
import { userSettings } from "../shell/user-settings.ts";

/** The flags that both have. */
export const programFlags: Flags = {
  env: "text",
  seconds: "text",
  megabytes: "text",
  keep: "nothing",
  replace: "nothing",
  json: "nothing",
};

export const programUsage = `--env        variables it finds in its environment beside PATH, HOME and the like: NAME, or NAME=VARIABLE where ours is called
             otherwise. The values stay in your environment: only names are saved
--keep       one process for all tasks, instead of one for each
--seconds    the most a start and a call may take
--megabytes  the most memory it may use, with everything it starts; 4000 where not given
--replace    in place of the one that has this name`;

/** Arguments before `--` as flags, those after it as the command. Throws `ArgumentProblem`. */
function readProgramArguments(
  args: readonly string[],
  flags: Flags,
): { readonly read: Arguments; readonly command: readonly string[] | undefined } {
  const end = args.indexOf("--");
  const [own, command] = end < 0 ? [args, undefined] : [args.slice(0, end), args.slice(end + 1)];
  if (command?.length === 0) throw new ArgumentProblem("Expected a command behind `--`, got none");
  return { read: readArguments(own, flags), command };
}

/** What the flags say of a program that is started in the present folder. Throws `ArgumentProblem`. */
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

/** `NAME` or `NAME=VARIABLE`, separated by commas. Throws `ArgumentProblem` where a key stands in the place of a name. */
export function variables(text: string | undefined, flag: string): Readonly<Record<string, string>> | undefined {
  if (text === undefined) return undefined;
  const pairs = text.split(",").map((part) => part.trim().split("=", 2));
  refuseKeys(
    pairs.map(([name, variable = name]) => variable!).filter((variable) => process.env[variable] === undefined),
    `\`--${flag}\``,
  );
  return Object.fromEntries(pairs.map(([name, variable = name]) => [name!, variable!]));
}

/** Whatever is given would be kept in the settings, and shown where the user is asked about it. */
function refuseKeys(given: readonly string[], where: string): void {
  const parts = given.flatMap((text) => text.split("=")).filter((part) => !part.includes("/"));
  if (parts.some(looksLikeKey))
    throw new ArgumentProblem(
      `Expected ${where} to be without keys, got what looks like one: put it into an environment variable, and give its name by \`--env\``,
    );
}

/** A program on one line. */
export function programLine(program: UserProgram, where: string): string {
  const { name, folder, environment = {}, kept, seconds, megabytes } = program;
  return [
    `${name}  ${where}`,
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...Object.entries(environment).map(
      ([its, ours]) => `given ${its === ours ? its : `${its} from ${shownName(ours)}`}`,
    ),
    ...(kept === true ? ["one process for all tasks"] : []),
    // What runs on another machine uses the memory of that.
    `at most ${seconds} s${folder === undefined ? "" : ` and ${megabytes} MB`}`,
  ].join(" · ");
}

/** The user's agents, or their tool servers: where the settings keep them, and what a command says of them. */
export type ProgramList<Program extends UserProgram = UserProgram> = {
  readonly command: "agents" | "tools";
  /** As in "a tool server". */
  readonly kind: string;
  /** What is printed if there are none. */
  readonly none: string;
  of(settings: Settings): readonly Program[];
  /** These programs as a part of the settings. */
  kept(programs: readonly Program[]): Partial<Settings>;
  /** A program in lines of text. */
  text(program: Program): string;
  /** Resolves to the exit status. Throws `ArgumentProblem`. */
  add(name: string, read: Arguments, command: Command, store: SettingsStore, context: CommandContext): Promise<number>;
  /** Absent: such programs cannot be tested. */
  test?(program: Program, store: SettingsStore, context: CommandContext): Promise<number>;
};

type Command = readonly string[] | undefined;

/** `planwright agents` and `planwright tools`: adds, lists, tests or removes programs. Resolves to the exit status. */
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

/** The settings with a program, in place of one of its name. */
export function withProgram<Program extends UserProgram>(
  { of, kept }: ProgramList<Program>,
  settings: Settings,
  program: Program,
): Settings {
  return { ...settings, ...kept([...of(settings).filter(({ name }) => name !== program.name), program]) };
}

/** The program of a name. Throws `ArgumentProblem` with the names there are; `kind` as in "a tool server". */
function named<Program extends UserProgram>(programs: readonly Program[], name: string, kind: string): Program {
  const program = programs.find((each) => each.name === name);
  if (program === undefined) throw new ArgumentProblem(noSuchProgram(programs, name, kind));
  return program;
}

/** Throws `ArgumentProblem` if a program has the name and is not to be replaced. */
export function refuseTaken<Program extends UserProgram>(
  { of, kind }: ProgramList<Program>,
  settings: Settings,
  name: string,
  read: Arguments,
): void {
  if (!read.flag("replace") && of(settings).some((each) => each.name === name))
    throw new ArgumentProblem(`There is ${kind} \`${name}\` already; \`--replace\` replaces it`);
}

/** Takes back everywhere what was allowed of a program. */
function forgotten({ allowed = {} }: Settings, identity: string): Pick<Settings, "allowed"> {
  const folders = Object.entries(allowed).map(
    ([folder, identities]) => [folder, identities.filter((each) => each !== identity)] as const,
  );
  return { allowed: Object.fromEntries(folders.filter(([, identities]) => identities.length > 0)) };
}
