/** What `planwright tools add` and `planwright agents add` read in the same way: a command, and what it is given and allowed to take. */
import { looksLikeKey, shownName } from "../../engine/settings/secret.ts";
import type { Settings } from "../../engine/settings/settings.ts";
import { noSuchProgram, type UserProgram } from "../../engine/settings/user-program.ts";
import { type Arguments, ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";

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
export function readProgramArguments(
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

/** The program of a name. Throws `ArgumentProblem` with the names there are; `kind` as in "a tool server". */
export function named<Program extends UserProgram>(programs: readonly Program[], name: string, kind: string): Program {
  const program = programs.find((each) => each.name === name);
  if (program === undefined) throw new ArgumentProblem(noSuchProgram(programs, name, kind));
  return program;
}

/** Throws `ArgumentProblem` where a program has the name and is not to be replaced. */
export function refuseTaken(programs: readonly UserProgram[], name: string, kind: string, read: Arguments): void {
  if (!read.flag("replace") && programs.some((each) => each.name === name))
    throw new ArgumentProblem(`There is ${kind} \`${name}\` already; \`--replace\` replaces it`);
}

/** Takes back everywhere what was allowed of a program. */
export function forgotten({ allowed = {} }: Settings, identity: string): Pick<Settings, "allowed"> {
  const folders = Object.entries(allowed).map(
    ([folder, identities]) => [folder, identities.filter((each) => each !== identity)] as const,
  );
  return { allowed: Object.fromEntries(folders.filter(([, identities]) => identities.length > 0)) };
}
