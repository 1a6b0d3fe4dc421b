/** How much memory process groups use, where the system shows it (`/proc`). */
import { readdir, readFile } from "node:fs/promises";

/** Bytes in memory by process group; empty where they cannot be seen. */
export async function groupMemory(groups: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
  const sums = new Map<number, number>();
  const processes = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const name of processes) {
    // The second field is the program's name in brackets, which may hold anything; the group is the third behind it.
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const group = Number(stat.slice(stat.lastIndexOf(") ") + 2).split(" ")[2]);
    if (!groups.has(group)) continue;
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    sums.set(group, (sums.get(group) ?? 0) + kilobytes * 1024);
  }
  return sums;
}
