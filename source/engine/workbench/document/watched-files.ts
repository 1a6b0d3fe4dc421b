/** Notices what becomes of a session's files while it is open: no result passes as saved that is not. */
import { join } from "node:path";
import { questionFiles } from "../../session/file-suite.ts";
import { stampOf } from "../../work/file-stamp.ts";
import type { RunContext } from "../runs/run-context.ts";
import type { RunControl } from "../runs/run-control.ts";

/** Milliseconds between two looks. */
const interval = 1000;

type Watched = {
  /** The runs that are open. */
  readonly runs: () => readonly RunControl[];
  /** Told where files of questions have changed; true where that makes a difference. */
  readonly questions: () => boolean;
};

/** Looks again and again until it is ended by what it returns; `changed` is called where there is something new to show. */
export function watchFiles(
  { clock, changed, folder }: Pick<RunContext, "clock" | "changed" | "folder">,
  { runs, questions }: Watched,
): () => void {
  const stamps = () =>
    questionFiles(folder.path)
      .map((name) => `${name} ${stampOf(join(folder.path, name))}`)
      .join();
  let seen = stamps();
  const look = () => {
    timer = later();
    try {
      folder.checkInPlace();
    } catch {
      // Its logs went where the session went, or it is no longer ours.
      return;
    }
    const now = stamps();
    if (now !== seen && questions()) changed();
    seen = now;
    for (const { store } of runs()) {
      const { gone } = store.presence;
      store.look();
      if (store.presence.gone !== gone) changed();
    }
  };
  const later = () => {
    const next = clock.setTimeout(look, interval);
    next.unref();
    return next;
  };
  let timer = later();
  return () => clock.clearTimeout(timer);
}
