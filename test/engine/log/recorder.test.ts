import { expect, it } from "vitest";
import type { Log } from "../../../source/engine/log/file/log.ts";
import { Recorder } from "../../../source/engine/log/recorder.ts";
import type { Event, Score } from "../../../source/engine/types.ts";

it("the recorder writes a score without the reply in which its mistakes are quoted", () => {
  const events: object[] = [];
  const append = ((event: object) => (events.push(event), event as Event)) satisfies Log["append"];
  const reply = `${"word ".repeat(1000)}the mistake`;
  const score: Score = {
    value: 0,
    metrics: { "official.success": 0 },
    checks: [],
    errors: [{ kind: "no-plan", got: reply.slice(-11) }],
  };
  new Recorder({ append }, "t").score(score, 1);
  const [written] = events as [{ readonly score: Score }];
  expect(written.score).toStrictEqual(score);
  expect(written.score.metrics).not.toBe(score.metrics);
  expect(written.score.errors[0]).not.toBe(score.errors[0]);
});
