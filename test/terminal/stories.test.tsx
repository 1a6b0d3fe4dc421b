import { describe, expect, it } from "vitest";
import type { Figure } from "../../source/engine/figure.ts";
import type { Row } from "../../source/engine/types.ts";
import { ctrl, down, enter, escape, openScreen, up } from "./open-screen.tsx";
import { openDouble, runState, running, welcome } from "./double-workbench.ts";

describe("a notebook in the terminal", () => {
  it("can be navigated, edited, undone and saved with Jupyter's keys", async () => {
    const screen = await openScreen();
    const { workbench } = screen;
    await screen.press("m", "# A thought", escape);
    expect(workbench.cells()[1]!.source).toBe("# A thought");
    expect(screen.text()).toContain("A thought");
    expect(screen.text()).toContain("● unsaved");
    await screen.press("dd");
    expect(workbench.cells()).toHaveLength(3);
    await screen.press("z");
    expect(workbench.cells()).toHaveLength(4);
    await screen.press("Z");
    expect(workbench.cells()).toHaveLength(3);
    await screen.press("s");
    expect(workbench.asked).toEqual(["save"]);
    expect(screen.text()).not.toContain("unsaved");
    await screen.press("q");
    await screen.over();
    expect(screen.stdin.raw).toBe(false);
  });

  it("loses no typed key, however the keys arrive", async () => {
    const screen = await openScreen();
    await screen.press(`m# Fast\n\nwords **here**`);
    await screen.still();
    await screen.press(`${escape}`);
    await screen.press("jkjkjkddz");
    await screen.pass(200);
    expect(screen.workbench.cells().map(({ source }) => source)).toContain("# Fast\n\nwords **here**");
    await screen.close();
  });

  it("saves typed text until the user leaves the editor, and restores it at the next start", async () => {
    const screen = await openScreen();
    await screen.press("m", "one", "\x1b[200~ two\x1b[201~");
    const [, added] = screen.workbench.cells();
    expect(screen.workbench.kept()).toEqual({ cell: added!.id, text: "one two" });
    await screen.press(escape);
    expect(screen.workbench.kept()).toBeUndefined();
    await screen.close();

    const next = await openScreen({ workbench: openDouble({ typed: { cell: "c2", text: "suite: ultratool\nlim" } }) });
    expect(next.text()).toContain("run prompting (editing: Esc leaves and keeps the text)");
    expect(next.text()).toContain("Text typed last time was restored in the editor: Esc keeps the text");
    await next.press("it: 5");
    expect(next.workbench.kept()).toEqual({ cell: "c2", text: "suite: ultratool\nlimit: 5" });
    await next.press(ctrl("z"), ctrl("z"));
    expect(next.workbench.kept()).toEqual({ cell: "c2", text: welcome[1]!.source });
    await next.close();
  });

  it("treats a paste as text, with signs for control characters", async () => {
    const screen = await openScreen();
    await screen.press("m", "\x1b[200~dd q \x1b]52;c;AAAA\x07 end\x1b[201~", escape);
    expect(screen.workbench.cells()[1]!.source).toBe("dd q \x1b]52;c;AAAA\x07 end");
    expect(screen.text()).toContain("dd q ␛]52;c;AAAA␇ end");
    expect(screen.stdout.written).not.toContain("\x1b]52");
    await screen.press("\x1b[200~dd q\x1b[201~");
    expect(screen.text()).toContain("There is no text field to paste into");
    expect(screen.left()).toBe(false);
    await screen.close();
  });

  it("runs, pauses and stops a run cell, changes its concurrency, and gives the reason if this is impossible", async () => {
    const screen = await openScreen();
    const { workbench } = screen;
    await screen.press("r");
    expect(screen.text()).toContain("Only for run cells; this is a note");
    await screen.press("j", "r");
    expect(workbench.asked).toEqual(["run c2"]);
    expect(screen.text()).toContain("Stopped after 0 of 50 tasks: r resumes");
    workbench.setRuns("c2", [runState(running)]);
    await screen.press("r");
    expect(screen.text()).toContain("The run is already running");
    await screen.press("+", "p", "x");
    expect(workbench.asked.slice(1)).toEqual(["width c2 5", "pause c2", "stop c2"]);
    workbench.setRuns("c2", [runState({ ...running, status: "paused" })]);
    await screen.press("p");
    expect(workbench.asked.at(-1)).toBe("resume c2");
    await screen.close();
  });

  it("lists runs whose log is being read, closes without a question, and starts the cell on request", async () => {
    const workbench = openDouble();
    const reading = { status: "reading", preparing: "reading the log: 40 %" } as const;
    workbench.setRuns("c2", [runState(reading), runState({ ...reading, run: "run-2", label: "flat" })]);
    const screen = await openScreen({ workbench });
    expect(screen.lines().at(-1)).toMatch(/^ reading 2 runs /);
    expect(screen.text()).toContain("reading the log: 40 %");
    await screen.press("j", "p");
    expect(screen.text()).toContain("Nothing is running in this cell");
    await screen.press("r");
    expect(workbench.asked).toEqual(["run c2"]);
    workbench.setRuns("c2", [runState(running), runState({ ...reading, run: "run-2", label: "flat" })]);
    await screen.still();
    await screen.press("j", "k");
    expect(screen.lines().at(-1)).toMatch(/^ ▸ 1 run {2}\d+\/\d+ /);
    await screen.press("q");
    expect(screen.text()).toContain("A run is still running; finished tasks are kept. Quit?");
    await screen.press(escape);
    workbench.setRuns("c2", [runState(reading)]);
    await screen.press("q");
    await screen.over();
  });

  it("runs all run cells in order with one key, wherever the cursor is", async () => {
    const second = { id: "c4", kind: "run", name: "again", source: "suite: appbench" } as const;
    const screen = await openScreen({ workbench: openDouble({ cells: [...welcome, second] }) });
    await screen.press("R");
    expect(screen.workbench.asked).toEqual(["run c2", "run c4"]);
    screen.workbench.setRuns("c4", [runState(running)]);
    await screen.press("R");
    expect(screen.text()).toContain("again is running: x on that cell stops it");
    expect(screen.workbench.asked).toEqual(["run c2", "run c4"]);
    await screen.close();
    const none = await openScreen({ workbench: openDouble({ cells: [welcome[0]!] }) });
    await none.press("R");
    expect(none.text()).toContain("There is no run cell yet");
    await none.close();
  });

  it("renames a cell, and rejects an invalid name", async () => {
    const screen = await openScreen();
    await screen.press("N");
    expect(screen.text()).toContain("A note has no name");
    await screen.press("j", "N", "my `name", enter);
    expect(screen.text()).toContain("Expected a name without backticks");
    await screen.press("\x7f".repeat(6), " own name", enter);
    expect(screen.text()).toContain("▌ run my own name");
    await screen.press("z");
    expect(screen.text()).toContain("▌ run prompting");
    await screen.close();
  });

  it("reports the mistake in a text of any length that is pasted into a list", async () => {
    const screen = await openScreen();
    await screen.press("j", "N", `\x1b[200~${"xyz ".repeat(30_000)}\x1b[201~`, enter);
    expect(screen.text()).toContain("Expected a name of at most 80 characters");
    await screen.press(escape);
    expect(screen.workbench.cells()[1]!.name).toBe("prompting");
    await screen.close();
  });

  it("opens the only run, or the only active run, and asks if there are several", async () => {
    const screen = await openScreen();
    const one = runState({ label: "hierarchical" });
    const two = runState({ run: "run-2", label: "flat" });
    await screen.press("j", "L");
    expect(screen.text()).toContain("arrows select a task");
    await screen.press(escape, "o");
    expect(screen.text()).toContain("No tasks yet: r in the notebook runs the cell");
    await screen.press("L");
    expect(screen.text()).toContain("arrows select a task");
    await screen.press(escape, escape);
    screen.workbench.setRuns("c2", [one, two]);
    await screen.press("o");
    expect(screen.text()).toContain("Which run's tasks do you want to open?");
    await screen.press(escape, "L");
    expect(screen.text()).toContain("Watch which run?");
    screen.workbench.setRuns("c2", [one, { ...two, status: "stopping" }]);
    await screen.press("j");
    expect(screen.text()).toMatch(/2 +flat +stopping/);
    await screen.press(escape);
    screen.workbench.setRuns("c2", [one, { ...two, status: "paused" }]);
    await screen.press("L");
    expect(screen.text()).toMatch(/flat +paused/);
    await screen.press(escape);
    screen.workbench.setRuns("c2", []);
    await screen.press("o");
    expect(screen.text()).toContain("This cell has no run yet");
    await screen.close();
  });

  it("gives the reason if there is no run or figure to open, and does not start editing", async () => {
    const screen = await openScreen();
    await screen.press("o");
    expect(screen.text()).toContain("Nothing to open here: Enter edits the text");
    const heat = screen.workbench.state("c3");
    screen.workbench.setState("c3", { ...heat, figures: [], missing: "Loading results" } as typeof heat);
    await screen.press("j", "j", "o");
    expect(screen.text()).toContain("Loading results");
    expect(screen.text()).not.toContain("Esc done");
    await screen.close();
  });

  it("offers to save before it quits with changes", async () => {
    const screen = await openScreen();
    await screen.press("m", "words", escape, "q");
    expect(screen.text()).toContain("The session has unsaved changes. Quit? s saves first, y/n");
    await screen.press("n", "q", "s");
    await screen.over();
    expect(screen.workbench.dirty).toBe(false);
  });

  it("asks before it closes during a run, but closes after Ctrl+C twice", async () => {
    const screen = await openScreen();
    screen.workbench.setRuns("c2", [runState(running)]);
    await screen.press("q");
    expect(screen.text()).toContain("A run is still running; finished tasks are kept. Quit? y/n");
    await screen.press("n", ctrl("c"));
    expect(screen.text()).toContain("Ctrl+C again quits");
    expect(screen.left()).toBe(false);
    await screen.press(ctrl("c"));
    await screen.over();
    expect(screen.stdout.written).toContain("\x1b[?1049l");
    expect(screen.stdout.written).toContain("\x1b[?25h");
  });

  it("asks about everything that would be lost together, in one line of 80 columns", async () => {
    const screen = await openScreen();
    screen.workbench.setRuns("c2", [runState(running)]);
    await screen.press("m", "words", escape, "q");
    expect(screen.text()).toContain("A run is running. Changes are unsaved. Quit? s saves first, y/n");
    await screen.press("n", "m", ctrl("c"));
    expect(screen.text()).toContain("A run is running. A cell has edits. Changes are unsaved. Ctrl+C again quits.");
    await screen.close();
  });

  it("sets up an experiment in the form, shows its cost, and writes the cell", async () => {
    const screen = await openScreen();
    await screen.press("j", "e");
    await screen.pass(250);
    expect(screen.text()).toMatch(/ 2 +100 +150 +≈ 1\.23M\/45\.7k +≈ 1\.23$/m);
    await screen.press(down, down, down, enter, down, " ", up, " ", enter);
    expect(screen.text()).toMatch(/Strategy +cot, direct {2}\(grid\)/);
    await screen.press(ctrl("s"));
    expect(screen.workbench.cells()[1]!.source).toContain("prompting: [hierarchical, flat] # the question");
    expect(screen.workbench.cells()[1]!.source).toContain("strategy: [cot, direct]");
    await screen.press("n");
    await screen.press("r");
    await screen.pass(100);
    expect(screen.workbench.cells()[2]).toMatchObject({ kind: "run", name: "appbench" });
    expect(screen.workbench.asked.at(-1)).toMatch(/^run c1\d\d$/);
    await screen.close();
  });

  it("accepts a model that is in no list, and rejects an invalid model", async () => {
    const screen = await openScreen();
    await screen.press("j", "e", "jjjjjj", enter, "gpt", enter);
    expect(screen.text()).toContain("Expected ENDPOINT/MODEL");
    await screen.press("\x7f\x7f\x7f", "my/own", enter);
    expect(screen.text()).toMatch(/Model +my\/own/);
    await screen.close();
  });

  it("accepts the typed number, rather than a longer number that contains its digits", async () => {
    const screen = await openScreen();
    await screen.press("j", "e", "G");
    const field = () => /▸ (.*)/.exec(screen.text())![1]!;
    for (let tries = 0; !field().startsWith("Number of tasks") && tries < 60; tries++) await screen.press("k");
    await screen.press(enter, "5", enter);
    expect(field()).toMatch(/^Number of tasks +5\b/);
    await screen.press(enter, "1x", enter);
    expect(screen.text()).toContain("Expected");
    await screen.press("\x7f", enter);
    expect(field()).toMatch(/^Number of tasks +1\b/);
    await screen.close();
  });

  it("opens the tasks of a figure's value, and Esc returns to the analysis", async () => {
    const screen = await openScreen();
    await screen.press("G", enter, "l", "j");
    expect(screen.text()).toContain("parallel 2, sequential 2: 52.0   n 12, 3 tasks");
    await screen.press("\t", "\t");
    expect(screen.text()).toContain("Kinds of mistake  3 notes  3 of 4");
    await screen.press("c", "4");
    expect(screen.workbench.asked).toContain("choose c3 mode=paper");
    await screen.press(escape);
    expect(screen.text()).toContain("▌ analysis heat");
    await screen.close();
  });

  it("puts the cursor on the first number of a figure, although labels before it have tasks", async () => {
    const screen = await openScreen();
    const heat = screen.workbench.state("c3");
    if (heat.kind !== "analysis") throw new Error("Expected an analysis");
    const labelled: Figure = {
      kind: "table",
      title: "By group",
      columns: [
        { title: "Group", align: "left" },
        { title: "Success", align: "right" },
      ],
      rows: [
        [
          { text: "SS", tasks: [{ run: "run-1", task: "ss-1" }] },
          { text: "50.00", value: 0.5, n: 2 },
        ],
      ],
      notes: [],
    };
    screen.workbench.setState("c3", { ...heat, figures: [labelled] });
    await screen.press("G", enter);
    expect(screen.text()).toMatch(/SS, Success: 50\.00 +n 2/);
    await screen.close();
  });

  it("cannot change a read-only document", async () => {
    const screen = await openScreen({ workbench: openDouble({ readOnly: "another program has it open" }) });
    expect(screen.text()).toContain("read-only");
    expect(screen.text()).toContain("Read-only: another program has it open");
    await screen.press("dd", "m", "b");
    expect(screen.text()).toContain("Read-only: another program has it open");
    expect(screen.workbench.cells()).toHaveLength(3);
    await screen.press("q");
    await screen.over();
  });

  it("reports at once why a document becomes read-only", async () => {
    const screen = await openScreen();
    screen.workbench.loseFolder("the folder was removed");
    await screen.still();
    expect(screen.text()).toContain("Read-only: the folder was removed");
    await screen.press("m");
    expect(screen.workbench.cells()).toHaveLength(3);
    await screen.press("q");
    await screen.over();
  });

  it("compares two runs, and lists the tasks whose scores differ", async () => {
    const screen = await openScreen();
    const row = (task: string, value: number) =>
      ({ task, question: `book ${task}`, score: { value, metrics: {}, checks: [], errors: [] } }) as unknown as Row;
    screen.workbench.setRuns("c2", [runState(), runState({ run: "run-2", label: "flat" })]);
    screen.workbench.setRows("run-1", [row("mm-1", 1), row("mm-2", 0), row("mm-3", 1)]);
    screen.workbench.setRows("run-2", [row("mm-1", 0), row("mm-2", 1), row("mm-3", 1)]);
    await screen.press(":", "compare", enter);
    await screen.still();
    expect(screen.text()).toMatch(/1 {2}hierarchical +67 +1\n +2 {2}flat +67 +1\n/);
    expect(screen.text()).toContain("3 tasks scored in both runs, 1 unchanged; scores in %");
    expect(screen.text()).toContain("0.0 points, 95 % interval -69.2 to +69.2; McNemar exact p = 1.0");
    expect(screen.text()).not.toContain("mm-3");
    await screen.press("f");
    expect(screen.text()).toContain("mm-3");
    // The user's own kinds stand beside their tasks, and f goes on to them.
    const tagged = (each: Row, kind: string) => ({ ...each, codes: { given: [kind], has: { [kind]: true } } });
    screen.workbench.setRows("run-1", [row("mm-1", 1), tagged(row("mm-2", 0), "late"), tagged(row("mm-3", 1), "late")]);
    screen.workbench.setRows("run-2", [row("mm-1", 0), tagged(row("mm-2", 1), "late"), row("mm-3", 1)]);
    await screen.still();
    expect(screen.text()).toMatch(
      /task {2}codes +question\n(.*\n)*.*mm-2 {2}late +book mm-2\n.*mm-3 {2}1: late {2}book mm-3\n/,
    );
    await screen.press("f");
    expect(screen.text()).toContain("only tagged tasks");
    expect(screen.text()).not.toContain("book mm-1");
    await screen.press("f");
    expect(screen.text()).toContain("only tasks tagged late");
    expect(screen.text()).toMatch(/ {5}2 {6}1 {4}# late/);
    await screen.press("f");
    expect(screen.text()).toContain("Only tasks whose score differs");
    expect(screen.text()).not.toContain("book mm-3");
    await screen.press("f");
    // Scores between 0 and 1 have another test: 1 to 6 hundredths gained, p = 2/64.
    const graded = (change: number) =>
      Array.from({ length: 6 }, (_, index) => row(`g${index}`, 0.2 + change * (index + 1)));
    screen.workbench.setRows("run-1", graded(0));
    screen.workbench.setRows("run-2", graded(0.01));
    await screen.press("f");
    expect(screen.text()).toContain("+3.5 points, 95 % interval +1.0 to +6.0; paired permutation p = 0.031");
    await screen.press(escape);
    expect(screen.text()).toContain("Does seeing every API at once help?");
    await screen.close();
  });

  it("restores the terminal after a crash of the program", async () => {
    const screen = await openScreen();
    const ended = expect(screen.ended).rejects.toThrow("a mistake in the program");
    screen.workbench.breakDown("a mistake in the program \x1b]52;c;AAAA\x07 \u202e");
    await screen.pass();
    await ended;
    expect(screen.stdout.written).toContain("\x1b[?1049l");
    expect(screen.stdout.written.lastIndexOf("\x1b[?25h")).toBeGreaterThan(0);
    expect(screen.stdin.raw).toBe(false);
    // The caller gets its message: on this screen the terminal would obey it.
    expect(screen.stdout.written).not.toContain("mistake");
  });

  it("selects a neighbouring cell after the selected cell is removed", async () => {
    const screen = await openScreen();
    await screen.press("j", "m", "passing thought", escape, "z", "z");
    expect(screen.text()).toContain("▌ analysis heat");
    await screen.close();
  });
});

describe("the notes of a figure", () => {
  it("are shown by v, and their number is shown in the notebook and above the figure", async () => {
    const screen = await openScreen({ columns: 120, rows: 40 });
    await screen.press("G");
    expect(screen.text()).toContain("Argument EM by scale  3 notes");
    expect(screen.text()).not.toContain("calls in the widest layer");
    await screen.press("v");
    for (const note of ["reads the answer key", "sample data", "Argument EM by scale", "calls in the widest layer"])
      expect(screen.text()).toContain(note);
    await screen.press(escape, enter);
    expect(screen.text()).toContain("Argument EM by scale  3 notes");
    await screen.press("n");
    expect(screen.lines().filter((line) => /^│ *• /.test(line))).toHaveLength(3);
    await screen.press(escape, escape, "g", "v");
    expect(screen.text()).toContain("This cell has no notes");
    await screen.close();
  });

  it("exclude the meanings of marks, which are next to the numbers", async () => {
    const screen = await openScreen({ columns: 120, rows: 40 });
    await screen.press("G", enter, "\t");
    expect(screen.text()).toContain("values in %; † reported by the paper, not from these runs");
    await screen.close();
  });
});
