/** The program as a child process without a screen: commands that end, and the server of built-in models. */
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { builtProgram } from "../built-program.ts";

const environment = (folder: string) => ({ ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") });

/** Runs a command to its end and returns its output. Throws if it fails. */
export function command(folder: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [builtProgram(), ...args], {
    cwd: folder,
    env: environment(folder),
    encoding: "utf8",
  });
}

export type Served = AsyncDisposable & { readonly url: string; faults(): Promise<Readonly<Record<string, number>>> };

/** Starts `planwright serve-builtin` on a free port of this machine. */
export async function serve(folder: string, ...args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [builtProgram(), "serve-builtin", "--port", "0", ...args], {
    cwd: folder,
    env: environment(folder),
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data: Buffer) => {
      text += data.toString();
      const found = /listening on (\S+)/.exec(text);
      if (found !== null) resolve(found[1]!);
    });
    child.once("exit", (code) => reject(new Error(`Expected the server to listen, it ended with ${code}`)));
  });
  return {
    url,
    faults: async () => (await (await fetch(`${url}/planwright/faults`)).json()) as Record<string, number>,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}
