/**
 * Asks the user once per folder for consent to the programs that a session starts and the addresses that it uses, including
 * where the password is sent.
 */
import { consentQuestion } from "../../engine/settings/own-redis.ts";
import { printable } from "../../engine/text/printable.ts";
import type { Terminal } from "../terminal.ts";
import { attempted } from "./notices.ts";

/**
 * Calls `start` once every program and address of these cells' runs is allowed; asks the user about those that are not allowed
 * yet.
 */
export function whenAllowed(terminal: Terminal, cells: readonly string[], start: () => void): void {
  whenProgramsAllowed(terminal, cells, () => {
    const urls = terminal.workbench.workers?.unagreed(cells) ?? [];
    const ask = urls.reduceRight((next, url) => () => whenAgreed(terminal, url, next), start);
    ask();
  });
}

/** Calls `start` if the user agreed earlier, or agrees now, that the password is sent to this Redis, encrypted or not. */
export function whenAgreed({ workbench: { workers }, notices }: Terminal, url: string, start: () => void): void {
  if (workers?.needsConsent(url) !== true) return start();
  const agree = () => attempted({ notices }, () => workers.agree(url)) && start();
  notices.ask(consentQuestion(url), agree, { no: () => notices.say("Nothing was sent") });
}

function whenProgramsAllowed({ workbench, notices }: Terminal, cells: readonly string[], start: () => void): void {
  const wanted = cells.flatMap((cell) => workbench.programs.unallowed(cell));
  const uses = [...new Map(wanted.map((use) => [use.identity, use])).values()];
  if (uses.length === 0) return start();
  const named = uses.map(({ name, what }) => `${name} (${printable(what)})`).join(", ");
  const allow = () => attempted({ notices }, () => workbench.programs.allow(uses)) && start();
  notices.ask(`May the sessions of this folder use ${named}?`, allow, {
    no: () => notices.say("Not started: nothing was allowed"),
  });
}
