import { describe, expect, it } from "vitest";
import { openDouble } from "../double-workbench.ts";
import { down, enter, escape, openScreen, up } from "../open-screen.tsx";

/** Opens the list of the analysis's choices: its metric and its mode, four lines. */
async function openList(columns = 80, rows = 24) {
  const screen = await openScreen({ columns, rows });
  await screen.press("G", "c");
  const here = () => /▸ (\d) /.exec(screen.text())?.[1];
  const chosen = () => screen.workbench.asked.filter((each) => each.startsWith("choose"));
  return { ...screen, here, chosen };
}

describe("a short list of choices", () => {
  it("is drawn completely, with marked choices and numbered lines", async () => {
    const screen = await openList();
    expect(screen.lines().filter((line) => /^ [▸ ] \d /.test(line))).toEqual([
      " ▸ 1 * metric: argument-em",
      "   2   metric: success",
      "   3 * mode: official",
      "   4   mode: paper",
    ]);
    expect(screen.text()).toContain("What to show  1/4");
    await screen.close();
  });

  it("truncates lines that are too long, and keeps the columns of the others", async () => {
    const workbench = openDouble();
    const state = workbench.state("c3");
    const long = "macro average of all the calls of a plan, those that are repeated counted once each";
    if (state.kind === "analysis")
      workbench.setState("c3", { ...state, choices: { metric: ["argument-em", long] }, chosen: { metric: long } });
    const screen = await openScreen({ workbench });
    await screen.press("G", "c");
    expect(screen.lines().filter((line) => /^ [▸ ] \d /.test(line))).toEqual([
      "   1   metric: argument-em",
      " ▸ 2 * metric: macro average of all the calls of a plan, those that are repeate…",
    ]);
    await screen.close();
  });

  it("moves one line per key, even if several keys arrive at once", async () => {
    const screen = await openList();
    await screen.press("jj");
    expect(screen.here()).toBe("3");
    await screen.press(up + up);
    expect(screen.here()).toBe("1");
    await screen.press(`${down}j${down}k`);
    expect(screen.here()).toBe("3");
    screen.stdin.send("k");
    screen.stdin.send("j");
    await screen.press("j");
    expect(screen.here()).toBe("4");
    expect(screen.text()).toContain("What to show  4/4");
    await screen.press("j");
    expect(screen.here()).toBe("1");
    await screen.close();
  });

  it("accepts keys that were typed before it opened", async () => {
    const screen = await openScreen();
    await screen.press(`Gc${down}${down}${down}${enter}`);
    expect(screen.workbench.asked).toContain("choose c3 mode=paper");
    await screen.close();
  });

  it("chooses by Enter and by number, and shows the valid numbers", async () => {
    const screen = await openList();
    await screen.press(down, enter);
    expect(screen.chosen()).toEqual(["choose c3 metric=success"]);
    await screen.press("c", "7");
    expect(screen.text()).toContain("Expected a number from 1 to 4, got 7");
    await screen.press("4");
    expect(screen.chosen()).toEqual(["choose c3 metric=success", "choose c3 mode=paper"]);
    await screen.close();
  });

  it("closes on Esc, and is open again after help", async () => {
    const screen = await openList();
    await screen.press("?");
    expect(screen.text()).toContain("Choose an entry by its number");
    await screen.press(escape, "j");
    expect(screen.here()).toBe("2");
    await screen.press(escape);
    expect(screen.chosen()).toEqual([]);
    expect(screen.text()).not.toContain("What to show");
    await screen.close();
  });

  it("is filtered by typing if the list is longer than the window", async () => {
    const screen = await openList(40, 10);
    expect(screen.text()).toContain("What to show  (type to filter)  1/4");
    await screen.press("papx", escape);
    expect(screen.text()).toContain("What to show  (type to filter)  1/4");
    await screen.press("paper", enter);
    expect(screen.chosen()).toEqual(["choose c3 mode=paper"]);
    await screen.close();
  });
});
