/** Names of files for things that have names of their own. */
import { fileName } from "../../figures/export-files.ts";

/** File names of tasks, with a number behind one that another task has already. */
export function distinctNames(): (task: string) => string {
  const taken = new Map<string, number>();
  return (task) => {
    const name = fileName(task);
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return before === 0 ? name : `${name}~${before + 1}`;
  };
}
