import { describe, expect, it } from "vitest";
import { EndpointLimits } from "../../source/engine/models/endpoint-limits.ts";
import type { Endpoint } from "../../source/engine/settings/settings.ts";
import { machineClock } from "../../source/engine/work/clock.ts";
import { endpointKeys, shareAmong } from "../../source/workers/limit-shares.ts";

const endpoint = (name: string, baseUrl: string): Endpoint => ({
  name,
  baseUrl,
  concurrency: 8,
  idleTimeout: 300,
  identify: false,
});
const lab = endpoint("lab", "https://models.lab.example/v1");
const other = endpoint("other", "https://other.example/v1");

/** The keys of these endpoints, as the worker that has asked them tells them. */
function keys(...endpoints: readonly Endpoint[]): readonly string[] {
  const limits = new EndpointLimits();
  for (const each of endpoints) limits.of(each, machineClock);
  return endpointKeys(limits);
}

describe("the limits of an endpoint", () => {
  it("are shared out in equal parts among the living workers that have asked it, whatever they call it", () => {
    const workers = [
      { id: "b", endpoints: keys(lab, other) },
      { id: "a", endpoints: keys(endpoint("mine", lab.baseUrl)) },
      { id: "c", endpoints: keys(other) },
    ];
    expect(shareAmong(workers, "a")(lab)).toEqual({ index: 0, of: 2 });
    expect(shareAmong(workers, "b")(lab)).toEqual({ index: 1, of: 2 });
    expect(shareAmong(workers, "b")(other)).toEqual({ index: 0, of: 2 });
  });

  it("are all one worker's where it is alone, or not yet on the list", () => {
    expect(shareAmong([], "a")(lab)).toEqual({ index: 0, of: 1 });
    expect(shareAmong([{ id: "b", endpoints: keys(lab) }], "a")(lab)).toEqual({ index: 0, of: 2 });
  });

  it("are told apart without telling addresses, which may hold secrets", () => {
    expect(keys(lab)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
    expect(keys(lab)).not.toEqual(keys(other));
  });
});
