import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describePublished, shared } from "../../shared.ts";
import { temporaryFolder, typed } from "../typed.ts";

const at = temporaryFolder();
const published = shared("data", "who-and-when");

type Accuracy = { readonly exact: number; readonly official: number; readonly floor: Record<string, number | string> };
type Found = { readonly n: number; readonly agent: Accuracy; readonly step: Accuracy & { readonly within: number[] } };

async function scoredBy(set: string, agent: string, step: string): Promise<Found> {
  const logs = readdirSync(`${published}/Who&When/${set}`);
  writeFileSync(
    at("said.csv"),
    ["set,log,agent,step", ...logs.map((log) => `${set},${log},${agent},${step}`)].join("\n"),
  );
  const said = await typed("attribution", at("said.csv"), "--logs", published, "--json");
  expect(said).toMatchObject({ status: 0, err: "" });
  return (JSON.parse(said.out) as Record<string, Found>)[set]!;
}

const percent = (share: number) => Number((100 * share).toFixed(2));

describePublished("a constant answer for the published logs", () => {
  it.each([
    ["Algorithm-Generated", "Assistant", "1", 126, 26.98, 26.98],
    ["Algorithm-Generated", "Assistant", "12", 126, 0, 35.71],
    ["Algorithm-Generated", "Assistant", "1234567890", 126, 0, 100],
    ["Algorithm-Generated", "Assistant", "4", 126, 8.73, 8.73],
    ["Hand-Crafted", "WebSurfer", "1", 58, 1.72, 1.72],
    ["Hand-Crafted", "WebSurfer", "4", 58, 15.52, 15.52],
  ])(
    "has the published accuracy for %s if it always names %s at step %s",
    async (set, agent, step, n, exact, official) => {
      const found = await scoredBy(set, agent, step);
      expect([found.n, percent(found.step.exact), percent(found.step.official)]).toEqual([n, exact, official]);
    },
  );

  it("is shown next to the best constants and a random guess", async () => {
    const crafted = await scoredBy("Hand-Crafted", "WebSurfer", "4");
    expect(percent(crafted.agent.exact)).toBe(56.9);
    expect(crafted.agent.floor).toMatchObject({ constant: "WebSurfer" });
    const shares = ({ share, leave_one_out: left, random }: Accuracy["floor"]) =>
      [share, left, random].map((each) => percent(Number(each)));
    expect(shares(crafted.agent.floor)).toEqual([56.9, 56.9, 29.2]);
    expect(shares(crafted.step.floor)).toEqual([15.52, 0, 4.16]);
    const generated = await scoredBy("Algorithm-Generated", "Verification_Expert", "1");
    expect(shares(generated.agent.floor)).toEqual([14.29, 14.29, 29.1]);
    expect(shares(generated.step.floor)).toEqual([26.98, 26.98, 12]);
  });

  it("is wrong if it is empty, and officially also if only its agent or step is empty", async () => {
    const found = await scoredBy("Hand-Crafted", "", "1");
    expect([found.agent.exact, found.step.official, percent(found.step.exact)]).toEqual([0, 0, 1.72]);
  });
});

describe("a file of predictions about failures", () => {
  it("is rejected for an unknown set, and for a duplicate log", async () => {
    const refused = async (...rows: string[]) => {
      writeFileSync(at("said.csv"), ["set,log,agent,step", ...rows].join("\n"));
      return (await typed("attribution", at("said.csv"), "--logs", at())).err;
    };
    expect(await refused("Other,1,a,1")).toContain("Expected `set` to be Algorithm-Generated or Hand-Crafted");
    expect(await refused("Hand-Crafted,1,a,1", "Hand-Crafted,1.json,b,1")).toContain("Expected each log once, got `1`");
    expect(await refused("Hand-Crafted,1,a,1")).toContain("Expected a folder `Who&When/Hand-Crafted` in");
  });
});
