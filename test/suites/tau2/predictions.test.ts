import { expect, it } from "vitest";
import { sampleOf } from "../../../source/engine/settings/package-folder.ts";
import type { Json } from "../../../source/engine/types.ts";
import { tau2 } from "../../../suites/tau2/index.ts";
import { scorePredictions } from "../../../suites/tau2/score/predictions.ts";
import { Tau2Files } from "../../../suites/tau2/data/files.ts";
import { readDomainTasks } from "../../../suites/tau2/data/tasks.ts";
import { openSuite } from "../../../suites/tau2/loaded-suite.ts";

it("tau2 reports pass^k of trajectories, but not of executed references", async () => {
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

it("tau2 reads dialogues of users and assistants from the official program's file of results", async () => {
  const folder = sampleOf(tau2);
  const tasks = [...(await readDomainTasks(new Tau2Files(folder), "telecom")).values()];
  const task = tasks.find(({ criteria }) => new Set(criteria.actions.map(({ side }) => side)).size === 2);
  const { actions, communicate } = task!.criteria;
  const references = actions.map(({ side: role, name, args }) => ({
    role,
    content: null,
    tool_calls: [{ name, arguments: args as Json }],
  }));
  const stop = { role: "user", content: "###STOP###", tool_calls: null };
  const others = [
    { role: "system", content: "Be helpful.", tool_calls: null },
    { role: "tool", content: communicate.join("; ") },
  ];
  const simulation = { task_id: task!.id, termination_reason: "user_stop" };
  const value: Json = {
    simulations: [
      { ...simulation, messages: [...others, stop] },
      {
        ...simulation,
        trial: 1,
        messages: [...others, ...references, { role: "assistant", content: communicate.join("; ") }, stop],
      },
    ],
  };
  const lines = [{ number: 1, value, text: JSON.stringify(value) }];
  const { signal } = new AbortController();
  const request = { folder, data: "sample", split: "telecom", flags: {}, signal } as const;
  const { records, aggregate, figures } = await scorePredictions({ ...request, lines });
  const [figure] = figures;
  if (figure?.kind !== "table") throw new Error("Expected a table");
  expect(figure.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ["n", "2"],
    ["reward", "0.5000"],
    ["pass^1", "0.5000"],
    ["pass^2", "0"],
  ]);
  expect(records.map((record) => ["actions", "communicate"].map((name) => name in (record as object)))).toEqual(
    Array(2).fill([true, communicate.length > 0]),
  );
  expect(records).toMatchObject([
    { task: task!.id, trial: 0, reward: 0 },
    { task: task!.id, trial: 1, reward: 1 },
  ]);
  // One of two trials passes: a draw of one passes by half, a draw of both never does.
  expect(aggregate).toEqual({ n: 2, reward: 0.5, passHatK: { "1": 0.5, "2": 0 } });
  // Tasks with different numbers of trials have no common k, and no task has none.
  const other = {
    task_id: tasks.find(({ id }) => id !== task!.id)!.id,
    termination_reason: "user_stop",
    messages: [stop],
  };
  const more: Json = { simulations: [...(value as { simulations: Json[] }).simulations, other as Json] };
  const unequal = await scorePredictions({
    ...request,
    lines: [{ number: 1, value: more, text: JSON.stringify(more) }],
  });
  expect(unequal.aggregate).toMatchObject({ n: 3, passHatK: {} });
  const turns = (args: Json) => ({
    task: task!.id,
    end: "user_stop",
    turns: [{ by: "user", calls: [{ name: "x", args }] }],
  });
  for (const wrong of [null, 7, [], turns([]), turns(null), turns("x")] as Json[])
    await expect(
      scorePredictions({ ...request, lines: [{ number: 1, value: wrong, text: JSON.stringify(wrong) }] }),
    ).rejects.toThrow(/^Line 1: /);
});
