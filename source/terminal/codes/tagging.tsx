/** Gives tasks, or a place in one of them, a kind from a list or a newly typed name, and a remark. */
import { useState, type ReactNode } from "react";
import { kindProblem } from "../../engine/session/codes/kinds-cell.ts";
import { codesOfTask, isOfAttempt, kindDepths } from "../../engine/session/codes/task-codes.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { Code, CodePlace } from "../../engine/analysis.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { plural } from "../../look/amounts.ts";
import { LineField } from "../editor/line-field.tsx";
import { attempted } from "../frame/notices.ts";
import { type Choice, ChoiceList, listRows } from "../input/choice-list.tsx";
import { type Terminal, useTerminal } from "../terminal.ts";

/** What a tag applies to: whole tasks, or a place in one of them. */
export type Tagging = {
  readonly refs: readonly TaskRef[];
  readonly place?: CodePlace | undefined;
  /** Only codes since this time (ISO 8601) are shown as given; absent: all of the user's codes. */
  readonly since?: string | undefined;
};

/** Returns the list while it is open, the rows it takes, and how it is opened. `done` is called after each change. */
export function useTagging(columns: number, height: number, done: () => void = () => {}) {
  const terminal = useTerminal();
  const [tagging, open] = useState<Tagging>();
  const [remarked, remark] = useState<string>();
  const close = () => {
    open(undefined);
    remark(undefined);
  };
  const choices = tagging === undefined ? [] : kindChoices(terminal.workbench, tagging);
  const rows = tagging === undefined ? 0 : remarked === undefined ? listRows(choices, height) : remarkRows;
  const tag = (kind: string, text?: string) => {
    close();
    if (tagging !== undefined && tagged(terminal, tagging, kind, text)) done();
  };
  const size = { columns, height: rows };
  const drawn = (): ReactNode => {
    if (tagging === undefined) return null;
    if (remarked === undefined)
      return (
        <ChoiceList
          title="Tag with which kind?"
          about={aboutOf(terminal.workbench, tagging)}
          choices={choices}
          taken={takenBy(terminal.workbench, tagging)}
          free={(text) => kindProblem(text.trim())}
          take={([kind = ""]) => tag(kind.trim())}
          remark={(kind) => remark(kind.trim())}
          back={close}
          {...size}
        />
      );
    const why = (text: string) => (text === "" ? "Type a remark; Esc goes back" : undefined);
    const accept = (text: string) => tag(remarked, text);
    return <LineField title={remarked} about="Remark" text="" problem={why} accept={accept} back={close} {...size} />;
  };
  return { rows, isOpen: tagging !== undefined, open, drawn };
}

const remarkRows = 3;

/** The choice that notes that a task was labelled without any kind; no kind has a colon. */
const nothingFound = ":nothing";

/** Returns the kinds with their meanings; for a whole task also the choice that no kind applies. */
function kindChoices({ codes }: Workbench, { place, refs, since }: Tagging): readonly Choice[] {
  const { kinds } = codes.codebook;
  const depths = kindDepths(kinds);
  const all = kinds.map(({ name, meaning }): Choice => {
    const title = `${"  ".repeat(depths.get(name)!)}${name}`;
    return { value: name, title, ...(meaning !== undefined && { note: meaning }) };
  });
  if (place !== undefined || refs.length === 0 || since !== undefined) return all;
  return [...all, { value: nothingFound, title: "(no kind applies)", note: "marks the task as labelled" }];
}

/** Shows the name under which codes are written, because no other text shows it before the first code. */
function aboutOf({ codes }: Workbench, { refs, place }: Tagging): string {
  const what =
    place === undefined ? (refs.length === 1 ? refs[0]!.task : plural(refs.length, "task")) : placeText(place);
  const [problem] = codes.problems;
  return problem ?? `${what}; tagged by ${codes.person} (setting \`person\`); a new name creates a kind`;
}

const placeText = ({ quote = "" }: CodePlace): string => {
  const [first = "", ...more] = quote.split("\n");
  return more.length === 0
    ? `"${first.slice(0, 30)}"`
    : `"${first.slice(0, 30)}" and ${plural(more.length, "line")} more`;
};

/** Returns the kinds that the user gave to all of these tasks at this place. */
function takenBy(workbench: Workbench, { refs, place, since = "" }: Tagging): readonly string[] {
  const { codebook, person } = workbench.codes;
  const [first = [], ...others] = refs.slice(0, mostMarked).map((ref) => {
    const row = workbench.rows(ref.run).find(({ task }) => task === ref.task);
    const isOwn = (code: Code) =>
      code.by === person && code.at >= since && isOfAttempt(code, row) && isAt(code.place, place);
    return codesOfTask(codebook, ref).codes.flatMap((code) => (isOwn(code) ? code.kind : []));
  });
  return first.filter((kind) => others.every((kinds) => kinds.includes(kind)));
}

/** More tasks are not looked through for the marks of a list. */
const mostMarked = 100;

function isAt(one: CodePlace | undefined, other: CodePlace | undefined): boolean {
  return one?.section === other?.section && one?.block === other?.block && one?.quote === other?.quote;
}

/** Tags, and reports it; false if it failed. */
function tagged(terminal: Terminal, { refs, place }: Tagging, kind: string, remark: string | undefined): boolean {
  const { workbench, notices } = terminal;
  const count = refs.length === 1 ? "" : `: ${plural(refs.length, "task")}`;
  return attempted(terminal, () => {
    if (kind === nothingFound) {
      for (const ref of refs) workbench.label(ref);
      return notices.say(`Labelled without a kind${count}; z undoes it`, "good");
    }
    const { did } = workbench.tag(refs, { kind, place, remark });
    notices.say(did === "tagged" ? `Tagged ${kind}${count}; z undoes it` : `Removed the tag ${kind}${count}`, "good");
  });
}

/** Undoes the last tag, and reports it. */
export function untag(terminal: Terminal): void {
  attempted(terminal, () => {
    if (terminal.workbench.untag()) terminal.notices.say("The last tag is undone", "good");
    else terminal.notices.say("No tag has been set since Planwright started");
  });
}
