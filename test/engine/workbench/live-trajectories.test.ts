import { afterEach, expect, test, vi } from "vitest";
import { TrajectoryFold, trajectoryOf } from "../../../source/engine/log/trajectory.ts";
import { LiveTrajectories } from "../../../source/engine/workbench/runs/live-trajectories.ts";
import type { Step, TaskEvent } from "../../../source/engine/types.ts";

afterEach(() => void vi.restoreAllMocks());

const ref = { run: "r", task: "t" };
const event = (step: Step): TaskEvent => ({ seq: -1, at: 5, task: "t", ...step });
const turn = (request: number): TaskEvent[] => [
  event({ type: "prompt", request, role: "model", model: "m", stage: "step", messages: [] }),
  event({ type: "thinking", request, text: "well ", field: "reasoning" }),
  event({ type: "text", request, text: `reply ${request}` }),
  event({ type: "node", id: `n${request % 3}`, kind: "step", label: `${request}`, state: "open" }),
  event({ type: "finish", request, reason: "stop" }),
];

test("a live trajectory is folded by its new events alone, however long it has become", () => {
  const live = new LiveTrajectories();
  const events: TaskEvent[] = [];
  const take = vi.spyOn(TrajectoryFold.prototype, "take");
  for (let request = 0; request < 300; request++) {
    for (const next of turn(request)) {
      events.push(next);
      live.of(ref, { events, version: events.length });
    }
  }
  expect(take).toHaveBeenCalledTimes(events.length);
  const folded = live.of(ref, { events, version: events.length });
  expect(take).toHaveBeenCalledTimes(events.length);
  expect(folded).toEqual(trajectoryOf("t", events));
  expect(folded!.nodes.map(({ id, label }) => [id, label])).toEqual([
    ["n0", "297"],
    ["n1", "298"],
    ["n2", "299"],
  ]);
});

test("text that goes on streaming into the same event is folded as far as it is new", () => {
  const live = new LiveTrajectories();
  const [prompt, , text] = turn(0) as [TaskEvent, TaskEvent, TaskEvent & { text: string }];
  const events = [prompt, text];
  let version = 0;
  const replies: string[] = [];
  for (const more of ["", ", and", " more", ""]) {
    text.text += more;
    const { entries } = live.of(ref, { events, version: version++ })!;
    replies.push(entries[0]!.kind === "turn" ? entries[0]!.text : "");
  }
  expect(replies).toEqual(["reply 0", "reply 0, and", "reply 0, and more", "reply 0, and more"]);
  const same = live.of(ref, { events, version });
  expect(live.of(ref, { events, version })).toBe(same);
  expect(same).toEqual(trajectoryOf("t", events));
});

test("a task that is executed again is followed from its new beginning", () => {
  const live = new LiveTrajectories();
  live.of(ref, { events: turn(0), version: 5 });
  const again = [event({ type: "note", kind: "end", text: "" })];
  expect(live.of(ref, { events: again, version: 5 })).toEqual(trajectoryOf("t", again));
  expect(live.of(ref, undefined)).toBeUndefined();
});
