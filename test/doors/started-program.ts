/** The built program without a terminal, in its own folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { builtProgram } from "../built-program.ts";

export type Started = { readonly status: number | null; readonly out: string; readonly err: string };

export async function started(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const child = spawn(process.execPath, [builtProgram(), ...args], {
    cwd: folder,
    env: { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (data: Buffer) => (said.out += data.toString()));
  child.stderr.on("data", (data: Buffer) => (said.err += data.toString()));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, ...said };
}
