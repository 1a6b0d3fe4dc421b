import { beforeAll, describe, expect, it } from "vitest";
import { programHash } from "../../source/engine/settings/program-hash.ts";
import { packageVersion } from "../../source/engine/settings/package-folder.ts";
import { otherProgram, readManifest } from "../../source/workers/manifest.ts";
import { bareSpec } from "../bare-spec.ts";
import { builtProgram } from "../built-program.ts";

// The hash of the program is computed once per process, and equals the build's.
beforeAll(() => void builtProgram());

const whole = {
  run: "r",
  spec: bareSpec("appbench"),
  version: packageVersion(),
  cache: false,
  prices: { "lab/model": { input: 1, output: 2 } },
  toolkits: { all: { labels: [0, 1], descriptions: [{ id: 0, description: "d" }], metrics: { silhouette: 0.5 } } },
};

describe("the manifest of a round", () => {
  it("is read with fields of later versions, and without fields that older versions lack", () => {
    expect(readManifest(JSON.stringify(whole))).toEqual(whole);
    const later = { ...whole, program: "abc", tasks: 3, later: [1] };
    expect(readManifest(JSON.stringify(later))).toEqual(later);
  });

  it.each([
    ["{", "Expected the round's manifest to be JSON, got something else"],
    ["null", "Expected the round's manifest to be an object, got `null`"],
    [JSON.stringify({ ...whole, run: 5 }), "Expected `run` in the round's manifest to be text, got `5`"],
    [JSON.stringify({ ...whole, spec: [] }), "Expected `spec` in the round's manifest to be an object, got `[]`"],
    [
      JSON.stringify({ ...whole, spec: { ...whole.spec, options: { mode: {} } } }),
      "Expected `spec.options.mode` in the round's manifest to be text or a number, got `{}`",
    ],
    [JSON.stringify({ ...whole, tasks: -1 }), "Expected `tasks` in the round's manifest to be at least 0, got `-1`"],
  ])("is rejected with its first invalid field: %s", (text, why) => {
    expect(() => readManifest(text)).toThrow(why);
  });

  it("belongs to another program if version or build differ, and the error reports both", async () => {
    const program = await programHash();
    const own = `the worker is Planwright ${packageVersion()} (build ${program.slice(0, 12)}), but the run needs `;
    expect(await otherProgram({ ...whole, program })).toBeUndefined();
    expect(await otherProgram({ ...whole, program, version: "0.0.1" })).toBe(
      `${own}0.0.1 (build ${program.slice(0, 12)})`,
    );
    expect(await otherProgram({ ...whole, program: "0123456789abcdef" })).toBe(
      `${own}${packageVersion()} (build 0123456789ab)`,
    );
    expect(await otherProgram(whole)).toBe(`${own}${packageVersion()} (an unnamed build)`);
  });
});
