/** Programs the measurements run beside this one: each its own process, so that none gets another's processor time for free. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { join } from "node:path";

export const program = join(import.meta.dirname, "..", "dist", "cli.js");

/** A server of filler replies. Resolves once it listens. */
export const startServer = (options: readonly string[]) =>
  listening([program, "serve-builtin", "--port", "0", ...options]);

/** A server of replies as models write them: so many tokens each, with so many milliseconds between two. */
export const startRealTexts = (tokens: number, pace: number) =>
  listening([join(import.meta.dirname, "servers", "real-texts.ts"), String(tokens), String(pace)]);

async function listening(args: readonly string[]): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await firstLine(child, /listening on (\S+)/);
  return { url: line[1]!, stop: () => void child.kill("SIGTERM") };
}

/** Runs a script of this folder; resolves with the JSON it prints last. */
export async function measured<Result>(script: string, ...args: readonly string[]): Promise<Result> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return JSON.parse(text.trim().split("\n").at(-1)!) as Result;
}

/** Returns the seconds a program takes from start to end. Throws its output if it fails. */
export function wholeTime(args: readonly string[], environment: NodeJS.ProcessEnv = {}): number {
  const from = performance.now();
  const env = { ...process.env, ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}:\n${stdout}${stderr}`);
  return (performance.now() - from) / 1000;
}

/** Seconds that the least program there is takes for one request of each of these prompts, so many in flight. */
export async function bareHttp(url: string, prompts: string, width: number): Promise<number> {
  return (await measured<{ seconds: number }>("bare-http.ts", url, prompts, String(width))).seconds;
}

function firstLine(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout!.on("data", (data: Buffer) => {
      text += data.toString();
      const found = pattern.exec(text);
      if (found !== null) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`Expected ${pattern} from the program, it ended with ${code}`)));
  });
}
