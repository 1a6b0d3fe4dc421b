/** Command lines run by a program whose settings and sessions are in a folder that is removed after the test. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import { main } from "../../source/cli.ts";

export type Said = { readonly status: number; readonly out: string; readonly err: string };

/** Gives every test of a file its own folder; a function, because the folder changes from test to test. */
export function temporaryFolder(): (...path: string[]) => string {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "planwright-command-"));
    vi.stubEnv("PLANWRIGHT_CONFIG_DIR", join(folder, "settings"));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return (...path) => join(folder, ...path);
}

export async function typed(...args: string[]): Promise<Said> {
  const said = { out: "", err: "" };
  const listen = (stream: NodeJS.WriteStream, to: "out" | "err") =>
    vi.spyOn(stream, "write").mockImplementation((text: unknown) => {
      said[to] += String(text);
      return true;
    });
  const spies = [listen(process.stdout, "out"), listen(process.stderr, "err")];
  try {
    const status = await main(args);
    return { status, ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Writes values as JSON Lines; returns the path. */
export function jsonLines(path: string, values: readonly unknown[]): string {
  writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  return path;
}
