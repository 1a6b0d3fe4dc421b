/** Workers as the place where runs are executed: chosen by the user, or because a run is with them already. */
import { randomBytes } from "node:crypto";
import type { TaskRunner } from "../engine/run/task-runner.ts";
import type { Elsewhere, GivenAway } from "../engine/workbench/elsewhere.ts";
import { readRoundFile } from "./round-file.ts";

export class WorkersElsewhere implements Elsewhere {
  readonly #url: () => string | undefined;

  /** `url`: the address of the Redis where the user wants workers, now. */
  constructor(url: () => string | undefined) {
    this.#url = url;
  }

  get chosen(): boolean {
    return this.#url() !== undefined;
  }

  out(folder: string): ReadonlySet<string> | undefined {
    const file = readRoundFile(folder);
    return file && new Set(file.tasks);
  }

  async workers(url: string): Promise<number> {
    const { workersAt } = await import("./workers-at.ts");
    return (await workersAt(url)).length;
  }

  async start(given: GivenAway): Promise<TaskRunner> {
    const [{ Round }, { WorkersRun }, { shippedFiles }] = await Promise.all([
      import("./round.ts"),
      import("./workers-run.ts"),
      import("./shipped-files.ts"),
    ]);
    const file = readRoundFile(given.store.folder) ?? {
      round: `${given.run}-${randomBytes(6).toString("hex")}`,
      url: this.#url()!,
      tasks: given.tasks.map(({ id }) => id),
    };
    const round = await Round.connect(file.round, file.url);
    return new WorkersRun(given, round, file, () => shippedFiles(given));
  }
}
