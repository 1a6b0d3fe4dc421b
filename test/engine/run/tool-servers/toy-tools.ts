/** The toy server as a user added it, and which of its processes still run. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { connectTo } from "../../../../source/engine/run/tool-servers/mcp-connection.ts";
import type { ToolServer } from "../../../../source/engine/settings/user-program.ts";
import { keptPromise } from "../../../../source/engine/work/kept-promise.ts";
import { machineClock } from "../../../../source/engine/work/clock.ts";
import { builtServer } from "../../../built-program.ts";
import { until } from "../../../until.ts";

export const toyProgram = builtServer("toy-server");

export type ToyTools = {
  readonly server: Omit<ToolServer, "reported">;
  /** Returns the server with its report, as the settings contain it. */
  reported(): Promise<ToolServer>;
  /** Its started processes that are still alive. */
  living(): readonly number[];
  /** Waits until some processes have started and none is alive. */
  gone(): Promise<void>;
};

export function toyTools(more: Partial<ToolServer> = {}): ToyTools {
  const folder = mkdtempSync(join(tmpdir(), "planwright-toys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const started = join(folder, "started");
  const server = {
    name: "toys",
    command: [process.execPath, toyProgram, started],
    folder,
    seconds: 60,
    megabytes: 4000,
    ...more,
  };
  const living = () => pidsIn(started).filter(lives);
  return {
    server,
    living,
    async reported() {
      const program = server.command[1] ?? "";
      const isBuilt = program.includes("/servers-");
      const report = await (isBuilt ? keptPromise(reports, program, () => reportOf(server)) : reportOf(server));
      rmSync(started, { force: true });
      return { ...server, reported: report };
    },
    gone: () =>
      until(() => {
        if (pidsIn(started).length === 0) throw new Error("nothing was started");
        if (living().length > 0) throw new Error(`${living().join(", ")} still run`);
      }),
  };
}

/** The reports of our own servers, each of which is started once for it. */
const reports = new Map<string, Promise<ToolServer["reported"]>>();

async function reportOf(server: ToyTools["server"]): Promise<ToolServer["reported"]> {
  const connection = await connectTo(server, { clock: machineClock }, new AbortController().signal);
  await connection.close();
  return connection.reported;
}

function pidsIn(path: string): readonly number[] {
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").map(Number) : [];
}

/** A zombie process, whose parent is gone, is not alive. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
