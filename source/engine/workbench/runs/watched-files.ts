/** Checks for changed files of a session: questions, texts of cells, logs. */
import { join } from "node:path";
import { questionFiles } from "../../session/file-suite.ts";
import { stampOf } from "../../work/file-stamp.ts";
import type { RunContext } from "./run-context.ts";
import type { RunControl } from "./run-control.ts";

/** Milliseconds between two checks. */
const interval = 1000;

type Watched = {
  /** Returns the open runs. */
  readonly runs: () => readonly RunControl[];
  /** Called when files of questions have changed; returns true if that affects runs. */
  readonly questions: () => boolean;
  /** Returns true if files of texts that cells name have changed. */
  readonly texts: () => boolean;
};

/** Checks repeatedly until the returned function is called; `changed` is called if there is something new to show. */
export function watchFiles({ clock, changed, folder }: RunContext, { runs, questions, texts }: Watched): () => void {
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
      // Its logs moved with the session, or this program no longer has the session.
      return;
    }
    const now = stamps();
    if (now !== seen && questions()) changed();
    if (texts()) changed();
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
