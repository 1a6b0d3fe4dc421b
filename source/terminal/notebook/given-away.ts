/**
 * Runs given to workers at an address that is not the user's, or that cannot be reached: takes them up or gives them
 * up.
 */
import { readRedisUrl, redisName } from "../../engine/settings/redis-place.ts";
import { whenAgreed } from "../frame/allow.ts";
import { report } from "../frame/notices.ts";
import { readPlace } from "../form/workers-field.ts";
import type { Terminal } from "../terminal.ts";
import type { NotebookContext } from "./notebook-context.ts";

/**
 * Asks for the address of the workers and whether sessions of this folder may use it. The user types it, because no
 * file of the session may choose it.
 */
export function takeUpWorkers(cell: string, { terminal, ask }: Pick<NotebookContext, "terminal" | "ask">): void {
  const { workbench, notices } = terminal;
  const takeUp = (url: string) => {
    const taken = workbench.workers?.takeUp(cell, url);
    if (taken !== undefined) report(terminal, taken, () => notices.say("Taken up", "good"));
  };
  const known = workbench.workers?.url;
  ask({
    title: "Address of the workers: type redis://HOST:PORT",
    choices: known === undefined ? [] : [{ value: known, title: known }],
    taken: [],
    free(text) {
      const place = readPlace(text);
      return typeof place === "string" ? undefined : place.problem;
    },
    answer(text) {
      const url = text.trim();
      const allow = () => whenAgreed(terminal, url, () => takeUp(url));
      const name = redisName(readRedisUrl(url));
      notices.ask(`May the sessions of this folder use the workers at ${name}?`, allow, {
        no: () => notices.say("Not taken up: nothing was allowed"),
      });
    },
  });
}

export function giveUpWorkers(cell: string, { workbench, notices }: Terminal): void {
  const giveUp = () => {
    workbench.workers?.giveUp(cell);
    notices.say("Given up: r runs the rest here");
  };
  notices.ask("Give up the tasks that workers have? Their unfinished work is lost", giveUp);
}
