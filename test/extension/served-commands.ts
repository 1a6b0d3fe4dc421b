/** Runs command lines of the built program one after another in one process, which is asked by messages. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

export type CommandLine = { readonly args: readonly string[]; readonly cwd: string; readonly env: NodeJS.ProcessEnv };
export type Ended = { readonly out: string; readonly err: string; readonly status: number | null };

type Program = {
  main(args: readonly string[]): Promise<number>;
  printedBug(error: unknown): string;
};

const launcher = process.argv[2]!;
// The launcher runs its own arguments at once. So this imports the part that the launcher imports.
const [, part] = /import\("(\.\/cli-[^"]+\.js)"\)/.exec(readFileSync(launcher, "utf8"))!;
const loaded = import(pathToFileURL(join(dirname(launcher), part!)).href) as Promise<Program>;
process.argv.splice(1, Infinity, launcher);

process.on("message", (line: CommandLine) => void run(line).then((ended) => process.send!(ended)));

async function run({ args, cwd, env }: CommandLine): Promise<Ended> {
  const { main, printedBug } = await loaded;
  process.chdir(cwd);
  Object.assign(process.env, env);
  const out = kept(process.stdout);
  const err = kept(process.stderr);
  const status = await main(args).catch((error: unknown) => {
    process.stderr.write(printedBug(error));
    return 1;
  });
  return { out: out.join(""), err: err.join(""), status };
}

/** Keeps what is written to a stream from now on. */
function kept(stream: NodeJS.WriteStream): string[] {
  const texts: string[] = [];
  stream.write = (text: Uint8Array | string, ...rest: unknown[]) => {
    texts.push(typeof text === "string" ? text : Buffer.from(text).toString());
    const written = rest.at(-1);
    if (typeof written === "function") process.nextTick(written);
    return true;
  };
  return texts;
}
