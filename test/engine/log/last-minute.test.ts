import { describe, expect, it } from "vitest";
import { LastMinute } from "../../../source/engine/log/rows/last-minute.ts";

const second = 1_000;
const minute = 60 * second;

describe("the amounts of the last minute", () => {
  it("have no rate if nothing was added, or if everything was added more than a minute ago", () => {
    const recent = new LastMinute();
    expect(recent.perSecond(0)).toBeUndefined();
    recent.add(0, second, 3);
    expect(recent.perSecond(second + minute)).toBe(3 / 60);
    expect(recent.perSecond(second + minute + 1)).toBeUndefined();
    expect(recent.length).toBe(0);
  });

  it("count from the start of the first attempt, for at least half a second and at most a minute", () => {
    const recent = new LastMinute();
    recent.add(1_000, 1_100, 2);
    expect(recent.perSecond(1_100)).toBe(4);
    expect(recent.perSecond(1_500)).toBe(4);
    expect(recent.perSecond(2_000)).toBe(2);
    recent.add(500, 2_000, 4);
    expect(recent.perSecond(2_000)).toBe(4);
    expect(recent.perSecond(2_000, 60)).toBe(240);
    expect(recent.perSecond(1_100 + minute)).toBe(6 / 60);
  });

  it("are joined within a tenth of a second, whichever attempt of them started first", () => {
    const recent = new LastMinute();
    for (const to of [1_000, 1_000, 1_099]) recent.add(to - 500, to, 1);
    expect(recent.length).toBe(1);
    recent.add(100, 1_099, 1);
    recent.add(1_000, 1_100, 1);
    expect(recent.length).toBe(2);
    expect(recent.perSecond(1_100)).toBe(5);
    // The joined amounts count as long as the latest of them does.
    expect(recent.perSecond(1_099 + minute)).toBe(5 / 60);
    expect(recent.perSecond(1_100 + minute)).toBe(1 / 60);
  });

  it("are not joined if they come in another order", () => {
    const recent = new LastMinute();
    recent.add(0, 1_050, 1);
    recent.add(0, 1_000, 1);
    expect(recent.length).toBe(2);
    expect(recent.perSecond(2_000)).toBe(1);
  });

  it("need as much memory for a hundred thousand as for six hundred", () => {
    const recent = new LastMinute();
    const count = 100_000;
    for (let at = 0; at < count; at++) recent.add(0, Math.floor((at * minute) / count), 1);
    expect(recent.length).toBe(600);
    expect(recent.perSecond(minute - 1, 60)).toBe((count / (minute - 1)) * minute);
  });

  it("are forgotten although nobody asks for their rate", () => {
    const recent = new LastMinute();
    for (let at = 0; at < 1_024; at++) recent.add(0, at * second, 1);
    expect(recent.length).toBe(61);
  });
});
