import { describe, expect, it } from "vitest";
import { ultratool } from "../../../suites/ultratool/index.ts";
import { cellNamed, runsOf, temporarySessions } from "../../engine/workbench/temporary-session.ts";
import { until } from "../../until.ts";
import { openDouble } from "../double-workbench.ts";
import { down, enter, escape, openScreen, openScreenOf } from "../open-screen.tsx";

/** Goes down to a field, and opens the groups before it. */
async function toField(screen: Awaited<ReturnType<typeof openScreen>>, title: string): Promise<void> {
  for (let at = 0; at < 60 && !new RegExp(`▸ ${title} `).test(screen.text()); at++)
    await screen.press(screen.text().includes("Enter opens") ? enter : "j");
}

describe("the set-up form", () => {
  it("asks for confirmation before changes are lost, and only then", async () => {
    const screen = await openScreen();
    await screen.press("n");
    expect(screen.text()).toContain("set up  new experiment");
    await screen.press(escape);
    expect(screen.text()).not.toContain("set up  new experiment");
    await screen.press("n", "jj", enter, down, enter, escape);
    expect(screen.text()).toContain("Discard this experiment? y/n");
    await screen.press("n");
    expect(screen.text()).toContain("set up  new experiment");
    await screen.press(escape, "y");
    expect(screen.text()).not.toContain("set up  new experiment");
    await screen.close();
  });

  it("shows how many of all tasks the run executes, and how to execute all of them", async () => {
    const workbench = openDouble();
    workbench.setForecast({ available: [31] });
    const screen = await openScreen({ workbench });
    await screen.press("n");
    await until(() => expect(screen.text()).toContain("20  of 31; 0 takes all"));
    await screen.press("G");
    for (let tries = 0; !/▸ Number of tasks/.test(screen.text()) && tries < 60; tries++) await screen.press("k");
    await screen.press(enter, "0", enter);
    await until(() => expect(screen.text()).toMatch(/Number of tasks +0 {2}all 31/));
    workbench.setForecast({ available: [11, 40] });
    await screen.press(enter, "20", enter);
    await until(() => expect(screen.text()).toMatch(/Number of tasks +20 {2}of 11 to 40; 0 takes all/));
    await screen.close();
  });

  it("reports that no choice in a list matches the typed text", async () => {
    const screen = await openScreen();
    await screen.press("j", "e", "j", enter, "zzz");
    expect(screen.text()).toMatch(/zzz {2}no match/);
    await screen.press("\x7f\x7f\x7f");
    expect(screen.text()).toMatch(/type to filter\) {2}1\//);
    await screen.close();
  });

  it("ignores a space before typed text, so that a space and 5 select the choice 5", async () => {
    const screen = await openScreen();
    await screen.press("n");
    await toField(screen, "Repeats");
    await screen.press(enter, " ", " ");
    expect(screen.text()).toMatch(/type to filter\) {2}1\//);
    await screen.press(" ", "5");
    expect(screen.text()).toMatch(/Repeats {2}5 {2}1\/1/);
    expect(screen.text()).not.toContain("as typed");
    await screen.close();
  });
});

describe("a field of the form", () => {
  it("can be moved to the whole notebook with w, and back to the cell", async () => {
    const screen = await openScreen();
    await screen.press("j", "e");
    expect(screen.text()).not.toContain("whole notebook");
    for (let at = 0; at < 12 && !/▸ Model /.test(screen.text()); at++) await screen.press("j");
    await screen.press("w");
    expect(screen.text()).toMatch(/Model .*builtin\/slips +whole notebook/);
    await screen.press("w");
    expect(screen.text()).not.toMatch(/Model .*whole notebook/);
    await screen.press("w", "s");
    const [first, , run] = screen.workbench.cells();
    expect(first).toMatchObject({ kind: "front-matter", source: "defaults:\n  model: builtin/slips\n" });
    expect(run!.source).not.toContain("model");
    await screen.press("k", "k");
    expect(screen.text()).toContain("whole notebook");
    await screen.close();
  });
});

describe("a list of several values in the form", () => {
  const backspace = "\x7f";

  const openField = async (title: string, keys: readonly string[]) => {
    const screen = await openScreen({ rows: 50 });
    await screen.press(...keys);
    await toField(screen, title);
    await screen.press(enter);
    return screen;
  };

  it("accepts several values typed with commas between the values", async () => {
    const screen = await openField("Trial", ["j", "e"]);
    await screen.press("0,3", enter);
    expect(screen.text()).toContain("Expected at least 1");
    await screen.press(backspace, backspace, backspace, "2,3,2", enter);
    expect(screen.text()).toMatch(/Trial +2, 3 +\(grid\)/);
    await screen.close();
  });

  it("keeps typed and marked values when the user deletes the filter", async () => {
    const screen = await openField("Seed", ["j", "e"]);
    await screen.press("7", " ", backspace);
    expect(screen.text()).toContain("[x] 7");
    await screen.press("9", " ", enter);
    expect(screen.text()).toMatch(/Seed +7, 9/);
    await screen.close();
  });

  it("replaces a default by the first chosen value, and adds further values", async () => {
    const screen = await openField("Model", ["n"]);
    expect(screen.text()).toContain("[x] builtin/slips");
    await screen.press("lab/one", " ", enter);
    expect(screen.text()).toMatch(/Model +lab\/one\n/);
    await screen.press(enter, "lab/two", " ", enter);
    expect(screen.text()).toMatch(/Model +lab\/one, lab\/two/);
    await screen.close();
  });

  it("shows no forecast of an earlier state of the form", async () => {
    const screen = await openScreen({ rows: 50 });
    await screen.press("j", "e");
    await until(() => expect(screen.text()).toMatch(/tokens in\/out/));
    await toField(screen, "Trial");
    await screen.press(enter, "1,2", enter);
    expect(screen.text()).toContain("Estimating ...");
    expect(screen.text()).not.toMatch(/tokens in\/out/);
    await until(() => expect(screen.text()).toMatch(/tokens in\/out/));
    await screen.close();
  });
});

describe("the form of a run whose answers need a judge", () => {
  const sessions = temporarySessions();

  const plans = "suite: ultratool\nsplit: en/planning\ndata: sample\nmodel: builtin/oracle\nlimit: 4\n";

  it("warns that no answer will be scored without a judge, and names the run whose answers the judge gets", async () => {
    const judged = `\`\`\`run judged\n${plans}judge: builtin/oracle\n\`\`\`\n`;
    const workbench = await sessions.open(`\`\`\`run main\n${plans}\`\`\`\n\n${judged}`, { suites: [ultratool] });
    await workbench.run(cellNamed(workbench, "main"));
    const { run } = runsOf(workbench, "main")[0]!;
    const screen = await openScreenOf(workbench, { columns: 120, rows: 50 });
    await screen.press("e");
    await until(() => expect(screen.text()).toMatch(/^│ +1 +4 +\d/m));
    expect(screen.text()).toContain("! No answer will be scored");
    await screen.press(escape, "j", "e");
    await until(() => expect(screen.text()).toMatch(/^│ +1 +4 +≤ 4 /m));
    expect(screen.text()).toContain(`! 4 answers reused from run ${run} (no judge), not requested again`);
    expect(screen.text()).not.toContain("No answer will be scored");
    await screen.close();
  });
});
