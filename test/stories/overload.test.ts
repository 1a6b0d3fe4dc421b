/** The server accepts fewer requests than configured; the screen reports it, and the user can reset the limit. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { refusingServer } from "../refusing-server.ts";
import { until } from "../until.ts";
import { WorkedSession } from "../workers/worked-session.ts";
import { showProgram } from "./shown-program.ts";

const words = "2 of 8 requests at a time: the server refuses 100 %";

test("the server's limit is shown on screen, in the progress line and by ctl, and ctl can reset the limit", async () => {
  await using session = new WorkedSession();
  await using server = await refusingServer(2);
  const lab = { name: "lab", baseUrl: server.url, concurrency: 8, idleTimeout: 300, identify: false };
  (await openSettings(join(session.folder, "settings"))).change((now) => ({ ...now, endpoints: [lab] }));
  const questions = Array.from({ length: 12 }, (_, index) => ({ id: `q${index}`, question: "Which?", answer: "none" }));
  session.write("mine", "```run main\nsuite: own\nfrom: questions.jsonl\nmodel: lab/model\n```\n", {
    "questions.jsonl": questions.map((each) => JSON.stringify(each)).join("\n"),
  });
  const ctl = async (...args: readonly string[]) => {
    const asked = session.start("ctl", "mine", ...args);
    expect(await asked.ended).toBe(0);
    return asked.printed.out;
  };
  const holder = session.start("run", "mine");
  await until(() => expect(holder.printed.err).toContain(`; ${words}`));
  expect(await ctl("status")).toContain(`, ${words}\n`);
  expect(JSON.parse(await ctl("status", "--json"))).toMatchObject({ runs: [{ concurrency: 8, overload: words }] });
  const screen = showProgram({ args: ["mine"], folder: session.folder, columns: 120, rows: 40 });
  await screen.waitFor(new RegExp(words));
  screen.type("jL");
  await screen.waitFor(new RegExp(`running[\\s\\S]*${words}`));
  const before = server.refused();
  expect(await ctl("concurrency", "8")).toBe("main: 8 tasks at once\n");
  await until(() => expect(server.refused()).toBeGreaterThan(before + 5));
  expect(await ctl("status")).toContain(", 8 tasks at once\n");
  await screen.waitFor(/concurrency 8/);
  server.open();
  expect(await holder.ended).toBe(0);
  await screen.waitFor(/done[\s\S]*12\/12/);
});
