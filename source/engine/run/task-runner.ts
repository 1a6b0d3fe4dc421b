/** Whatever executes the tasks of a run: this program, or others for it. */
import type { RunEnd, Runner } from "./runner.ts";

export type TaskRunner = Pick<
  Runner,
  "concurrency" | "pauseReason" | "running" | "live" | "unlogged" | "setConcurrency" | "pause" | "resume" | "stop"
> & {
  /** Resolves when the run has ended; `left` where it goes on without this program. */
  run(): Promise<RunEnd | "left">;
  /** Where others execute it: what there is to say of them now, if anything. */
  readonly notice?: string | undefined;
  /** Where others execute it: what overload leaves of an endpoint's limit, in words. */
  readonly overload?: string | undefined;
  /** True if all it had to do was to complete an earlier stop, after which the run can be begun again. */
  readonly completesStop?: boolean;
  /** If others execute it and nothing is heard of them: why, as "Redis at HOST:PORT does not answer". */
  readonly unheard?: string | undefined;
  /** Where others execute it: ends this program's part in it. */
  leave?(): void;
};
