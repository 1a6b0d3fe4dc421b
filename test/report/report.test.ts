import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { writeReport } from "../../source/engine/workbench/report/report.ts";
import { contrast, type Rgb } from "../../source/look/palettes.ts";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { cellNamed, TemporarySessions } from "../engine/workbench/temporary-session.ts";
import { Browser, testInBrowser } from "./browser.ts";
import { until } from "../until.ts";

const at = temporaryFolder();

const hostile = `<img src=x onerror="window.ran='img'"></pre></details></script><script>window.ran='script'</script>`;

const session = `# How far do plans go?

Some *words*, and ${hostile}

| Town | Price |
|------|------:|
| Delft | *7* |
| ${hostile} | 30 |

\`\`\`run main
suite: appbench
split: all
data: sample
model: builtin/slips?rate=0.5
prompting: [hierarchical, flat]
limit: 8
\`\`\`

\`\`\`run made-elsewhere
suite: appbench
split: all
data: sample
predictions: answers.jsonl
\`\`\`

\`\`\`analysis scale
pane: scale
of: [main]
\`\`\`

\`\`\`analysis mistakes
pane: errors
of: [main]
\`\`\`

\`\`\`analysis groups
pane: difficulty
of: [main]
\`\`\`
`;

/** The report of that session, executed, with these flags. */
async function report(...flags: string[]): Promise<string> {
  mkdirSync(at("s"), { recursive: true });
  writeFileSync(at("s", "session.md"), session);
  writeFileSync(at("s", "answers.jsonl"), `${JSON.stringify({ task: "ss-1", output: hostile })}\n`);
  await typed("run", at("s"));
  const { status, out, err } = await typed("export", at("s"), "--report", at("report.html"), ...flags);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toBe(`${at("report.html")}\n`);
  return readFileSync(at("report.html"), "utf8");
}

const count = (text: string, part: RegExp) => [...text.matchAll(part)].length;

describe("a report of a session", () => {
  test("is one file that sends no requests", async () => {
    const page = await report();
    expect(page).toContain(`content="default-src 'none'; script-src 'sha256-`);
    expect(page).not.toMatch(/<(link|iframe|object|embed|img|base)\b/);
    expect(page).not.toMatch(/\b(src|action|srcset)=(?!x )/);
    expect(count(page, /href="(?!#)/g)).toBe(0);
    expect(count(page, /<script/g)).toBe(2);
  });

  test("contains all text, every figure and every trajectory", async () => {
    const page = await report();
    expect(page).toContain("<em>words</em>");
    expect(page).toMatch(/<th class="right" data-sorts[^>]*>Price<\/th>/);
    expect(page).toMatch(/<td class="left">Delft<\/td>\s*<td class="right"><em>7<\/em><\/td>/);
    const { out } = await typed("run", at("s"), "--json");
    const { cells } = JSON.parse(out) as { cells: { runs?: { rows: unknown[] }[]; figures?: { title: string }[] }[] };
    const rows = cells.flatMap(({ runs = [] }) => runs.flatMap((run) => (run as { rows?: unknown[] }).rows ?? []));
    expect(count(page, /<details class="task"/g)).toBe(rows.length);
    for (const { title } of cells.flatMap(({ figures = [] }) => figures)) expect(page).toContain(title);
  });

  test("shows the values that figures show in tooltips, with the tasks behind them", async () => {
    const page = await report();
    const [, marks = ""] = /<svg([\s\S]*?)<\/svg>/.exec(page) ?? [];
    expect(marks).toMatch(
      /<g data-tasks="[\d,-]+"[^>]*><title>parallel \d, sequential [\d.]+ · ~?\d[^<]* · n \d+[^<]*<\/title>/,
    );
  });

  test("omits trajectories of other tasks if only failed tasks are requested, and reports the omission", async () => {
    const page = await report("--tasks", "failed");
    const { out } = await typed("run", at("s"), "--json");
    const { cells } = JSON.parse(out) as { cells: { runs?: (string | { counts: Record<string, number> })[] }[] };
    const runs = cells.flatMap(({ runs = [] }) => runs.filter((run) => typeof run !== "string"));
    const right = runs.reduce((sum, { counts }) => sum + counts["right"]!, 0);
    const all = runs.reduce((sum, { counts }) => sum + counts["right"]! + counts["wrong"]! + counts["failed"]!, 0);
    expect(right).toBeGreaterThan(0);
    expect(count(page, /<details class="task"/g)).toBe(all - right);
    expect(page).toMatch(/were answered correctly and are left out/);
  });

  test("contains at most as many trajectories as a browser can open, and still lists every task", async () => {
    const sessions = new TemporarySessions();
    const workbench = await sessions.open(session.slice(0, session.indexOf("```run made-elsewhere")));
    await workbench.run(cellNamed(workbench, "main"));
    await writeReport(at("whole.html"), { workbench, tasks: "all" });
    const whole = readFileSync(at("whole.html"), "utf8");
    await writeReport(at("short.html"), { workbench, tasks: "all", most: 20_000 });
    await sessions.end();
    const page = readFileSync(at("short.html"), "utf8");
    const shown = count(page, /<details class="task"/g);
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(16);
    const left = [...page.matchAll(/(\d+) of 8 trajectories are left out/g)].map(([, number]) => Number(number));
    expect(left.reduce((sum, number) => sum + number, 0)).toBe(16 - shown);
    expect(count(page, /<details class="run-tasks"/g)).toBe(2);
    const tasks = JSON.parse(/id="tasks">([^<]*)</.exec(page)![1]!) as unknown[][];
    expect(tasks.filter((task) => task[4] === 1)).toHaveLength(shown);
    expect(tasks).toHaveLength(16);
    expect(whole).not.toContain("trajectories are left out");
  });

  test.each([
    [["--tasks", "failed"], "Expected `--tasks` only together with `--report FILE.html`"],
    [["--report", "r.html", "--tasks", "wrong"], "Expected `--tasks` to be one of all, failed, got `wrong`"],
  ])("reports the mistake in %j", async (flags, words) => {
    mkdirSync(at("s"), { recursive: true });
    writeFileSync(at("s", "session.md"), "# Empty\n");
    const { status, err } = await typed("export", at("s"), ...flags);
    expect(status).toBe(2);
    expect(err).toContain(words);
  });
});

describe("the page of a report", () => {
  let browser: Browser;
  afterEach(() => browser?.close());
  const openReport = async () => {
    await report();
    browser = new Browser();
    await browser.open(at("report.html"));
  };
  const text = (selector: string) =>
    browser.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`);

  testInBrowser("leads from a figure to the words of a mistake", async () => {
    await openReport();
    await browser.click("svg g[data-tasks*='-']");
    expect(await text("dialog h2")).toMatch(/ · \d+ tasks$/);
    await browser.evaluate(
      "[...document.querySelectorAll('dialog a')].find(({ innerText }) => innerText.startsWith('wrong')).id = 'wrong'",
    );
    await browser.click("#wrong");
    const task = await browser.evaluate<string>("location.hash");
    // The page hears of its new address a moment later.
    await until(async () => expect(await browser.evaluate(`document.querySelector("${task}").open`)).toBe(true));
    expect(await browser.evaluate("document.querySelector('dialog').open")).toBe(false);
    await browser.click(`${task} li.bad a`);
    const here = () =>
      browser.evaluate<string>(
        "(() => { const { top, height } = document.querySelector('.here').getBoundingClientRect(); return String(height > 0 && top >= 0 && top < innerHeight); })()",
      );
    // The browser scrolls there when it comes to it.
    await until(async () => expect(await here()).toBe("true"));
    expect(await browser.evaluate("document.querySelector('.here').closest('.turn') !== null")).toBe(true);
  });

  testInBrowser("is navigable by keyboard: Tab moves to numbers and tasks, Enter opens the selected one", async () => {
    await openReport();
    const tabTo = async (selector: string) => {
      const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`;
      for (let step = 0; step < 200 && !(await browser.evaluate<boolean>(isThere)); step++) await browser.press("Tab");
      expect(await browser.evaluate(isThere), selector).toBe(true);
    };
    await tabTo("svg g[data-tasks*='-']");
    await browser.press("Enter");
    expect(await text("dialog h2")).toMatch(/ · \d+ tasks$/);
    await tabTo("dialog a");
    const task = await browser.evaluate<string>("document.activeElement.hash");
    await browser.press("Enter");
    await until(async () => expect(await browser.evaluate(`document.querySelector("${task}").open`)).toBe(true));
  });

  testInBrowser("is never cut off: wide parts scroll within the page, and are narrower on paper", async () => {
    await openReport();
    await browser.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    for (const width of [1400, 800, 400]) {
      await browser.layOut(width, "screen");
      expect(await browser.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
    // A4 between margins of a centimetre.
    await browser.layOut(718, "print");
    const widest =
      "Math.max(...[...document.querySelectorAll('svg, table')].map((each) => each.getBoundingClientRect().right))";
    expect(await browser.evaluate(widest)).toBeLessThanOrEqual(718);
    expect(await browser.evaluate("getComputedStyle(document.querySelector('figure')).overflowX")).toBe("visible");
  });

  testInBrowser("has one colour per run in every table and list, readable on light and dark backgrounds", async () => {
    await openReport();
    const looks = () =>
      browser.evaluate<{ ground: string; inks: Record<string, string[]>; others: string[] }>(`(() => {
        const ink = (element) => getComputedStyle(element).color;
        const inks = {};
        for (const named of document.querySelectorAll("[class^=ink-]"))
          (inks[named.innerText.replace(/^main: /, "")] ??= []).push(ink(named));
        const others = [...document.querySelectorAll("p, td, .quiet, .bad, .warn, a, caption")].map(ink);
        return { ground: getComputedStyle(document.body).backgroundColor, inks, others: [...new Set(others)] };
      })()`);
    const parts = (colour: string): Rgb => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
      return [red, green, blue];
    };
    const light = await looks();
    await browser.darken();
    const dark = await looks();
    for (const { ground, inks, others } of [light, dark]) {
      for (const run of ["hierarchical", "flat"]) {
        expect(inks[run]!.length, run).toBeGreaterThan(2);
        expect(new Set(inks[run]).size, run).toBe(1);
      }
      expect(inks["hierarchical"]![0]).not.toBe(inks["flat"]![0]);
      for (const ink of [...Object.values(inks).flat(), ...others])
        expect(contrast(parts(ink), parts(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
    expect(light.ground).toBe("rgb(255, 255, 255)");
    expect(contrast(parts(dark.ground), [0, 0, 0])).toBeLessThan(2);
  });

  testInBrowser("sorts its tables both ways", async () => {
    await openReport();
    const column = () =>
      browser.evaluate<string[]>(
        "[...document.querySelector('section table').tBodies[0].rows].map((row) => row.cells[2].innerText)",
      );
    await browser.click("section table th:nth-child(3)");
    const descending = await column();
    expect(descending).toEqual(descending.toSorted((one, other) => Number(other) - Number(one)));
    await browser.click("section table th:nth-child(3)");
    expect(await column()).toEqual(descending.toReversed());
  });

  testInBrowser("executes nothing written by a model, a note or a data set, and sends no request", async () => {
    await openReport();
    expect(await browser.evaluate("document.body.innerText.includes('onerror')")).toBe(true);
    expect(await browser.evaluate("typeof window.ran")).toBe("undefined");
    expect(browser.requests).toEqual([expect.stringMatching(/^file:.*report\.html$/)]);
    expect(browser.console).toEqual([]);
    // Even a script injected into the page would not run.
    await browser.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' }))",
    );
    expect(await browser.evaluate("typeof window.ran")).toBe("undefined");
  });
});
