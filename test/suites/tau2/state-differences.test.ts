/** Changed records compared with the reference's, and the phone of telecom's user in view and log. */
import { expect, it } from "vitest";
import { runBuiltin } from "../../../source/kit/builtin-run.ts";
import { sampleOf } from "../../../source/engine/settings/package-folder.ts";
import { conversation } from "../../../source/engine/strategies/conversation.ts";
import { startWorld } from "../../../suites/tau2/score/evaluate.ts";
import { stateDifferences } from "../../../suites/tau2/score/state-differences.ts";
import { tau2 } from "../../../suites/tau2/index.ts";
import { openSuite } from "../../../suites/tau2/loaded-suite.ts";
import { viewOf } from "../../../suites/tau2/score/view.ts";
import { bareSpec } from "../../bare-spec.ts";

const opened = openSuite(tau2, { folder: sampleOf(tau2), data: "sample" });
const taskOf = async (domain: string, index = 0) => (await (await opened).tasks(domain))[index]!;
type Task = Awaited<ReturnType<typeof taskOf>>;

/** The view of a conversation that makes the given calls of the reference. */
function viewAfter(task: Task, made: (call: { readonly name: string }) => boolean) {
  const turns = task.input.criteria.actions.filter(made).map(({ side, name, args }) => {
    const calls = [{ name, arguments: JSON.stringify(args) }];
    return { by: side === "user" ? ("user" as const) : ("model" as const), calls };
  });
  return viewOf(task, { end: { by: "user", reason: "user_stop" }, steps: turns.length, errors: 0, turns });
}
const changes = (view: ReturnType<typeof viewOf>) =>
  view.background?.find(({ title }) => title === "Changed records, compared with the reference")?.text.split("\n");

it("the view lists values that differ from those of the reference, and changed records that equal them", async () => {
  const task = await taskOf("airline");
  expect(changes(viewAfter(task, () => false))).toEqual([
    "reservations BZL7UE",
    '  payment_history.1: missing, in the reference {"payment_id": "credit_card_8003", "amount": -130}',
    '  status: null, in the reference "cancelled"',
  ]);
  expect(changes(viewAfter(task, () => true))).toEqual(["reservations BZL7UE: as in the reference"]);
  expect(changes(viewOf(task, undefined))).toBeUndefined();
  expect(changes(viewAfter(await taskOf("airline", 1), () => true))).toBeUndefined();
});

it("the view compares the phone of telecom's user with that of the reference", async () => {
  const task = await taskOf("telecom");
  expect(changes(viewAfter(task, () => false))).toEqual([
    "phone device",
    "  airplane_mode: true, in the reference false",
    '  network_signal_strength: "none", in the reference "excellent"',
    '  network_technology_connected: "none", in the reference "5G"',
    '  network_connection_status: "no_service", in the reference "connected"',
  ]);
  expect(changes(viewAfter(task, () => true))).toEqual(["phone device: as in the reference"]);
});

it("the view lists records that only one side has", async () => {
  const { input } = await taskOf("retail");
  const world = (name: string) =>
    Object.assign(startWorld(input), {
      touched: () => new Map([[name, 1]]),
      recordOf: (asked: string) => (asked === name ? 1 : undefined),
    });
  expect(stateDifferences(startWorld(input), world("orders a"), world("orders b"))).toEqual([
    "orders a: not in the reference",
    "orders b: only in the reference",
  ]);
});

it("the view shows the phone after the user's calls if the result of a call does not, with a note on each change", async () => {
  const task = await taskOf("telecom", 1);
  const bars = viewAfter(task, () => true).plan.map(({ lines }) => lines.filter((line) => line.startsWith("Phone: ")));
  expect(bars).toEqual([[], [], [], [], ["Phone: 📵 No Signal | 📵 Data Disabled | 🔋 64%"], [], []]);
  const { steps } = await runBuiltin(
    {
      loaded: await opened,
      strategy: conversation,
      spec: { ...bareSpec("tau2"), user: "builtin/oracle" },
      model: "oracle",
    },
    task,
  );
  expect(
    steps.flatMap((step) => (step.type === "note" && step.kind === "seen" ? [[step.text, step.data]] : [])),
  ).toEqual([
    ["📵 No Signal | 📵 Data Disabled | 🔋 64%", { side: "user" }],
    ["📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 64%", { side: "user" }],
  ]);
});
