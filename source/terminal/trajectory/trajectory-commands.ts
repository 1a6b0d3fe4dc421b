/** What the keys of the trajectory screen do. */
import type { Trajectory } from "../../engine/log/trajectory.ts";
import type { TaskRef } from "../../engine/types.ts";
import { lastUserMessage, turnAt } from "../fork/turn-at.ts";
import type { ScreenOf } from "../frame/screen.ts";
import type { Block } from "./block.ts";
import { type Place, blockAt, end, lineAt, linesOf, movedBy, nextError, placeAt, topOf } from "./place.ts";
import type { Reading } from "./reading.ts";
import type { Section } from "./sections.ts";

type Context = {
  readonly reading: Reading;
  readonly section: Section;
  readonly sections: readonly Section[];
  readonly blocks: readonly Block[];
  readonly place: Place;
  /** Of the part of the window that scrolls. */
  readonly height: number;
  readonly siblings: readonly TaskRef[];
  readonly go: (reading: Reading) => void;
  readonly trajectory: Trajectory | undefined;
  /** Opens the list of kinds for the errors on this line. */
  readonly correct: () => void;
  readonly fork: (screen: ScreenOf<"fork">) => void;
  readonly tell: (text: string) => void;
  readonly back: () => void;
};

export function trajectoryCommands(context: Context): Record<string, () => void> {
  const { reading, section, sections, blocks, place, height, go, tell, back } = context;
  const put = (next: Place, more: Partial<Reading> = {}) =>
    go({ ...reading, ...more, section, places: { ...reading.places, [section]: next } });
  const move = (by: number) => {
    // At the end already: going on down goes on following.
    if (by < 0 || place.seen !== undefined) put(movedBy(blocks, place, by, height));
  };
  const show = (wanted: Section | undefined) => wanted !== undefined && go({ ...reading, section: wanted });
  const turn = (by: number) => show(sections[(sections.indexOf(section) + by + sections.length) % sections.length]);
  const sibling = (by: number) => {
    const { siblings } = context;
    const at = siblings.findIndex(({ run, task }) => run === reading.ref.run && task === reading.ref.task);
    const next = siblings[at + by];
    if (at < 0 || next === undefined) return tell(by > 0 ? "This is the last task" : "This is the first task");
    go({ ...reading, ref: next, places: {}, turned: new Set() });
  };
  return {
    down: () => move(1),
    up: () => move(-1),
    "page-down": () => move(Math.max(1, height - 2)),
    "page-up": () => move(-Math.max(1, height - 2)),
    first: () => put(placeAt(blocks, 0, place.seen ?? linesOf(blocks))),
    last: () => put(end),
    open: () => openBlock(context, put),
    next: () => sibling(1),
    previous: () => sibling(-1),
    "next-error": () => toError(context, put, 1),
    "previous-error": () => toError(context, put, -1),
    "next-pane": () => turn(1),
    "previous-pane": () => turn(-1),
    ...Object.fromEntries(sections.map((each, index) => [`pane-${index + 1}`, () => show(each)])),
    requests: () => show("raw"),
    wrap: () => go({ ...reading, wrapped: !reading.wrapped }),
    fork: () => forkHere(context),
    correct: context.correct,
    back,
  };
}

/** Where there are several requests and none is in sight, one is asked to go to it. */
function forkHere({ reading, trajectory, blocks, place, fork, tell }: Context): void {
  const turn = trajectory && turnAt(trajectory, blockAt(blocks, lineAt(blocks, place))?.id);
  const some = trajectory?.entries.some(({ kind }) => kind === "turn") === true;
  if (!some) tell("Nothing was asked yet: there is no request to fork from");
  else if (turn === undefined) tell("Go to the request to fork from first: 2 shows the steps, 4 the requests");
  else {
    const { request, stage } = turn;
    fork({ kind: "fork", ref: reading.ref, request, stage, message: lastUserMessage(turn) });
  }
}

type Put = (next: Place, more?: Partial<Reading>) => void;

function openBlock({ reading, blocks, place, height, go, tell }: Context, put: Put): void {
  const found = blockAt(blocks, lineAt(blocks, place));
  // Within an opened text its heading is meant.
  const block =
    found?.folds === true ? found : blocks.find(({ id, folds }) => folds === true && found?.id === `${id} text`);
  if (found?.leadsTo !== undefined) {
    const plan: Place = { block: found.leadsTo, line: 0, row: Math.floor(height / 3), seen: 0 };
    return go({ ...reading, section: "plan", places: { ...reading.places, plan } });
  }
  if (block === undefined) return tell("There is nothing to open on this line");
  const turned = new Set(reading.turned);
  if (!turned.delete(block.id)) turned.add(block.id);
  const next: Place = { block: block.id, line: 0, row: 0, seen: place.seen ?? linesOf(blocks) };
  const row = lineAt(blocks, next) - topOf(blocks, place, height);
  put({ ...next, row: Math.max(0, row) }, { turned });
}

/** The next error of this section, else the first step of the plan that is wrong. */
function toError({ reading, section, blocks, place, height, go, tell }: Context, put: Put, by: 1 | -1): void {
  const block = nextError(blocks, place, by);
  const seen = place.seen ?? linesOf(blocks);
  if (block !== undefined) return put({ block: block.id, line: 0, row: Math.floor(height / 3), seen });
  if (section === "plan") return tell("There is no error in this plan");
  tell("No error here; this is the plan");
  go({ ...reading, section: "plan" });
}
