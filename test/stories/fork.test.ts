import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { showProgram } from "./shown-program.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-fork-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const [escape, enter, down, up] = ["\u001b", "\r", "\u001b[B", "\u001b[A"];
const document = () => readFileSync(join(folder, "sessions/mine/session.md"), "utf8");

describe("a fork of a trajectory", () => {
  test("continues live from a wrong plan's second request, with another model and message", async () => {
    mkdirSync(join(folder, "sessions/mine"), { recursive: true });
    writeFileSync(
      join(folder, "sessions/mine/session.md"),
      "```run main\nsuite: appbench\nsplit: all\ndata: sample\nmodel: builtin/slips?garbage=1\nlimit: 3\n```\n",
    );
    const screen = showProgram({ args: ["mine"], folder, columns: 120, rows: 40 });
    await screen.waitFor(/run main/);
    screen.type("r");
    await screen.waitFor(/Done: 0 of 3 right/);
    screen.type("L");
    await screen.waitFor(/arrows select a task/);
    screen.type(enter);
    await screen.waitFor(/\[1 Plan\]/);
    screen.type("F");
    await screen.waitFor(/Move to the request to fork from/);
    screen.type("2G");
    await screen.waitFor(/\[2 Steps\]/);
    screen.type("F");
    await screen.waitFor(/Fork \S+ +at request 2/);
    expect(screen.screen()).toMatch(/Model +builtin\/slips\?garbage=1/);
    screen.type(" ");
    await screen.waitFor(/type to filter/);
    screen.type(`oracle${enter}`);
    await screen.waitFor(/Model +builtin\/oracle/);
    // The list is short, and two keys in one write count as two.
    screen.type(`${down} `);
    await screen.waitFor(/Strategy +1\/\d[\s\S]*▸ 1 \* direct/);
    screen.type("jj");
    await screen.waitFor(/Strategy +3\/\d[\s\S]*▸ 3 /);
    screen.type(`${up}${up}`);
    await screen.waitFor(/▸ 1 \* direct/);
    screen.type("jk1");
    await screen.waitFor(/Strategy +direct/);
    screen.type(`${down}i`);
    await screen.waitFor(/editing: Esc/);
    screen.type("Think twice. ");
    await screen.waitFor(/Think twice\. /);
    screen.type(escape);
    await screen.waitFor(/Message +changed/);
    screen.type("jjj");
    await screen.waitFor(/▸ Settings/);
    screen.type(" ");
    await screen.waitFor(/Settings +\(type to filter\)/);
    screen.type(`maxTokens: 512${enter}`);
    await screen.waitFor(/Settings +maxTokens: 512/);
    screen.type(enter);
    await screen.waitFor(/oracle +. done/);
    expect(screen.screen()).toMatch(/1 right +. 0 wrong/);
    expect(screen.screen()).toContain("reads the answer key");
    screen.type(enter);
    await screen.waitFor(/\[1 Plan\]/);
    screen.type("2");
    await screen.waitFor(/saved reply[\s\S]*Think twice\./);
    for (const seen of [/arrows select/, /\[2 Steps\]/, /arrows select/, /run fork-1/]) {
      screen.type(escape);
      await screen.waitFor(seen);
    }
    screen.type("s");
    await screen.waitFor(/Saved/);
    expect(document()).toMatch(
      /model: builtin\/oracle\n[\s\S]*maxTokens: 512\n[\s\S]*fork: \{run: "[0-9a-f]{16}", task: "[^"]+", request: 1, attempt: "[0-9a-f]{16}", message: "Think twice\. /,
    );
    screen.type("q");
    expect(await screen.ended).toBe(0);
  });

  test("writes nothing if the user cancels it, and is rejected if it is invalid", async () => {
    mkdirSync(join(folder, "sessions/mine"), { recursive: true });
    const text = "```run main\nsuite: appbench\ndata: sample\nprompting: flat\nmodel: builtin/oracle\nlimit: 1\n```\n";
    writeFileSync(join(folder, "sessions/mine/session.md"), text);
    const screen = showProgram({ args: ["mine"], folder, columns: 80, rows: 24 });
    await screen.waitFor(/run main/);
    screen.type("rL");
    // Before the only task has begun nothing can be opened.
    await screen.waitFor(/arrows select a task[\s\S]*Done: 1 of 1 right/);
    screen.type(enter);
    await screen.waitFor(/\[1 Plan\]/);
    // The only request is chosen automatically.
    screen.type("F");
    await screen.waitFor(/Fork \S+ +at request 1/);
    screen.type("jji");
    await screen.waitFor(/editing/);
    screen.type(`x${escape}`);
    await screen.waitFor(/Message +changed/);
    screen.type(escape);
    await screen.waitFor(/Discard the message you wrote\? y\/n/);
    screen.type("y");
    await screen.waitFor(/\[1 Plan\]/);
    screen.type(escape);
    await screen.waitFor(/arrows select/);
    screen.type(escape);
    await screen.waitFor(/run main/);
    expect(screen.screen()).not.toContain("unsaved");
    screen.type("q");
    expect(await screen.ended).toBe(0);
    expect(document()).toBe(text);
  });
});
