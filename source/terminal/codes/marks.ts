/** Tasks that are marked in a list, and the commands that tag them. */
import type { TaskRef } from "../../engine/types.ts";
import type { ListRequest } from "../input/choice-list.tsx";
import type { GatheredItems, TaskItem } from "../tasks/task-item.ts";
import { listedKey } from "../tasks/task-places.ts";
import type { Terminal } from "../terminal.ts";
import { askLabelling } from "./labelling.tsx";
import { type Tagging, untag } from "./tagging.tsx";

type MarkedList = Pick<GatheredItems, "counted"> & {
  readonly terminal: Terminal;
  readonly shown: readonly TaskItem[];
  readonly here: number;
  readonly to: (index: number) => void;
  readonly ref: TaskRef | undefined;
  readonly marks: ReadonlySet<string>;
  readonly setMarks: (marks: ReadonlySet<string>) => void;
};

/** Marks tasks and tags them, or the task of the cursor if none is marked. */
export function codeCommands(list: MarkedList, tag: (tagging: Tagging) => void, ask: (asking: ListRequest) => void) {
  const { terminal, shown, counted, here, to, ref, marks, setMarks } = list;
  return {
    mark() {
      if (ref === undefined) return terminal.notices.say("There is no task to mark");
      setMarks(marks.symmetricDifference(new Set([listedKey(ref)])));
      to(here + 1);
    },
    tag() {
      const marked = shown.flatMap((item) => (marks.has(listedKey(item.ref)) ? item.ref : []));
      if (ref === undefined) terminal.notices.say("There is no task to tag");
      else tag({ refs: marked.length > 0 ? marked : [ref] });
    },
    untag: () => untag(terminal),
    "label-blind": () => askLabelling(terminal, [...counted.runs.keys()], ask),
  };
}
