import { describe, expect, it } from "vitest";
import type { SessionCell } from "../../../source/engine/workbench/workbench.ts";
import { cellAsOpened } from "../../../source/terminal/form/form-commands.ts";
import { ctrl, down, enter, openScreen } from "../open-screen.tsx";

const run = (id: string, name: string, source: string): SessionCell => ({ id, kind: "run", name, source });

describe("the cell in which a form was opened", () => {
  it("is found even if another program inserts cells before it, and is distinguished from a cell that replaces it", () => {
    const opened = run("c1", "main", "suite: appbench\n");
    expect(cellAsOpened([opened], opened)?.id).toBe("c1");
    const moved = [run("c1", "other", "suite: own\n"), run("c2", "main", "suite: appbench\n")];
    expect(cellAsOpened(moved, opened)?.id).toBe("c2");
    expect(cellAsOpened([run("c1", "main", "suite: own\n")], opened)).toBeUndefined();
  });

  it("contains the changes of both another program and the form, and a message reports this", async () => {
    const screen = await openScreen();
    const { workbench } = screen;
    const [before] = workbench.cells().filter(({ kind }) => kind === "run");
    await screen.press("j", "e", "j", enter, down, enter);
    workbench.edit(before!.id, "suite: appbench\nsplit: ss\n");
    await screen.press(ctrl("s"));
    expect(screen.text()).toContain("prompting was changed elsewhere too: your version is a new cell");
    const [theirs, ours] = workbench.cells().filter(({ kind }) => kind === "run");
    expect(theirs!.source).toBe("suite: appbench\nsplit: ss\n");
    expect(ours).toMatchObject({ name: "prompting-2" });
    expect(ours!.source).toMatch(/split: (?!ss)/);
    await screen.close();
  });

  it("is created again if another program removed it", async () => {
    const screen = await openScreen();
    const { workbench } = screen;
    await screen.press("j", "e", "j", enter, down, enter);
    workbench.remove(workbench.cells().find(({ kind }) => kind === "run")!.id);
    await screen.press(ctrl("s"));
    expect(workbench.cells().filter(({ kind }) => kind === "run")).toHaveLength(1);
    expect(screen.text()).toContain("your version is a new cell");
    await screen.close();
  });
});
