/** How plans and lists are drawn beside their reference: as trees by step number. */
import { beforeAll, describe, expect, it } from "vitest";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { viewOf } from "../../../suites/ultratool/score/view.ts";
import type { UltraTask } from "../../../suites/ultratool/data/task.ts";

let loaded: LoadedSuite;
beforeAll(async () => {
  loaded = await ultratool.open({ folder: sampleFolder("ultratool"), data: "sample" });
});
const first = async (aspect: string) => (await loaded.tasks(`en/${aspect}`))[0] as UltraTask;
const outline = (steps: readonly { title: string; depth?: number }[]) =>
  steps.map(({ title, depth }) => `${depth} ${title.slice(0, 14)}`);

describe("the view of a plan", () => {
  it("draws the numbered lines, each below the number that it continues", async () => {
    const { reference, plan, matches } = viewOf(
      await first("planning"),
      "1. Reserve\nnoise\n1.1.1 Deep\n2 Invite\n2.2 Send",
    );
    expect(outline(reference)).toEqual([
      "0 1. Reserve the",
      "1 1.1 Get the bo",
      "1 1.2 Reserve th",
      "1 1.3 Confirm th",
      "0 2. Invite the ",
      "1 2.1 Get the gu",
      "1 2.2 Send the i",
      "1 2.3 Confirm th",
    ]);
    expect(outline(plan)).toEqual(["0 1. Reserve", "2 1.1.1 Deep", "0 2 Invite", "1 2.2 Send"]);
    // `2` and `2.` are one place.
    expect(matches).toEqual([
      [0, 0],
      [4, 2],
      [6, 3],
    ]);
  });

  it("shows the reference beside the first of several lines with the same number", async () => {
    const { matches } = viewOf(await first("planning"), "1.2 one\n1.2 two\n1.2. three");
    expect(matches).toEqual([[2, 0]]);
  });

  it("shows at most 500 lines, and at most 50,000 characters of the plan's text", async () => {
    const task = await first("planning");
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}. x`).join("\n");
    expect(viewOf(task, lines(500)).plan).toHaveLength(500);
    expect(viewOf(task, lines(501)).plan).toHaveLength(500);
    const written = (length: number) => viewOf(task, "x".repeat(length)).background!.at(-1);
    expect(written(50_000)).toEqual({ title: "Answer as written", text: "x".repeat(50_000) });
    expect(written(50_001)!.text).toBe(`${"x".repeat(50_000)}...`);
  });
});

describe("the view of a list", () => {
  it("is beside the whole plan, whose requested steps show the expected tools and arguments", async () => {
    const { reference } = viewOf(await first("tool_usage"), undefined);
    expect(reference.map(({ lines }) => lines)).toEqual([
      [],
      [],
      ["book_room", "room = Linden", "date = 14 May", "start = 9 am"],
      [],
      [],
      [],
      [
        "send_invitation",
        "recipients = ['ana@example.org', 'bo@example.org']",
        "subject = Budget round two",
        "booking_id = <booking number>",
      ],
      [],
    ]);
    const task = await first("tool_usage");
    const bare = viewOf({ ...task, input: { ...task.input, steps: [] } }, undefined);
    expect(outline(bare.reference)).toEqual(["1 1.2 Reserve th", "1 2.2 Send the i"]);
    const single = viewOf({ ...task, input: { ...task.input, steps: task.input.steps.slice(0, 1) } }, undefined);
    expect(outline(single.reference)).toEqual(["0 1. Reserve the"]);
  });

  it("shows the parts of each entry: a step, a tool, arguments, or none of them", async () => {
    const entries =
      "{'step': '1.2 Reserve', 'tool': 'book_room', 'param': {'room': 'Linden', 'n': 2}}, {'tool': ['a']}, {'step': '2.2.1 x'}, 'no'";
    for (const output of [`[${entries}]`, `[[${entries}]]`, `[[${entries}], 'no']`]) {
      const { plan, matches } = viewOf(await first("tool_usage"), { output });
      expect(plan).toEqual([
        { title: "1.2 Reserve", lines: ["book_room", "room = Linden", "n = 2"], needs: [], depth: 1 },
        { title: "(no step)", lines: ["['a']"], needs: [], depth: 0 },
        { title: "2.2.1 x", lines: [], needs: [], depth: 2 },
      ]);
      expect(matches).toEqual([[2, 0]]);
    }
    expect(viewOf(await first("tool_usage"), "{'step': '1.2'}").plan).toEqual([]);
    const many = `[${Array.from({ length: 501 }, () => "{'step': '1 x'}").join(", ")}]`;
    expect(viewOf(await first("tool_usage"), many).plan).toHaveLength(500);
  });

  it("shows the toolset beside the list, and whether the task is home-made", async () => {
    const task = await first("tool_usage");
    const titles = (of: UltraTask) =>
      viewOf(of, undefined).background!.map(({ title, text }) => [title, text.split("\n")[0]]);
    expect(titles(task)).toEqual([
      ["Request", task.question],
      ["Toolset", "book_room: Reserve a meeting room for a day and time"],
      ["Answer as written", ""],
    ]);
    const home = { ...task, input: { ...task.input, toolset: undefined, edition: "home-made" as const } };
    expect(titles(home as UltraTask)).toEqual([
      ["Request", task.question],
      ["Home-made task", "Not the published test set"],
      ["Answer as written", ""],
    ]);
  });
});
