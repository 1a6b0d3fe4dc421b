import { expect, it } from "vitest";
import { sampleOf } from "../../../source/engine/settings/package-folder.ts";
import type { Json } from "../../../source/engine/types.ts";
import { tau2 } from "../../../suites/tau2/index.ts";
import { scorePredictions } from "../../../suites/tau2/score/predictions.ts";
import { openSuite } from "../../../suites/tau2/loaded-suite.ts";

it("tau2 reports pass^k of trajectories, but not of played references", async () => {
  const folder = sampleOf(tau2);
  const loaded = await openSuite(tau2, { folder, data: "sample" });
  const [task] = await loaded.tasks("airline");
  const scored = async (split: string, value: Json) => {
    const lines = [{ number: 1, value, text: JSON.stringify(value) }];
    return (
      await scorePredictions({ lines, folder, data: "sample", split, flags: {}, signal: new AbortController().signal })
    ).aggregate;
  };
  const silent = {
    task: task!.id,
    turns: [
      { by: "user", text: "Hi." },
      { by: "user", text: "###STOP###" },
    ],
    end: "user_stop",
  };
  expect(await scored("airline", silent)).toEqual({ n: 1, reward: 0, passHatK: { "1": 0 } });
  expect(await scored("gold-airline", { task: task!.id })).toEqual({ n: 1, reward: 1 });
});
