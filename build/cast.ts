/**
 * `npm run cast`: plays forty seconds of the program in a pseudo-terminal, and writes them as a recording (asciicast v2) and as a
 * picture that moves: an experiment is set up, watched live, its map opened, a wrong step found, two runs compared.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProgram, type PseudoTerminal } from "../test/stories/pseudo-terminal.ts";
import { ScreenFilm } from "./screen-svg.ts";

export const recording = "documentation/planwright.cast";
export const film = "documentation/planwright.svg";
const size = { columns: 110, rows: 32 };

/** Keys, what is then on the screen, and for how many seconds it is seen. */
type Step = { readonly keys?: string; readonly until: RegExp; readonly seconds: number; readonly isStill?: boolean };

const enter = "\r";
const steps: readonly Step[] = [
  { until: /Welcome to Planwright[\s\S]*run first/, seconds: 2.5 },
  { keys: "j", until: /▌ run first/, seconds: 0.7 },
  { keys: "e", until: /Prompting/, seconds: 3.5 },
  { keys: "\u001b", until: /▌ run first/, seconds: 0.7 },
  { keys: "r", until: /running/, seconds: 1.5 },
  { keys: "L", until: /Model|Planner/, seconds: 9 },
  { keys: "\u001b", until: /31 of 31[\s\S]*31 of 31|done[\s\S]*done/, seconds: 1.5 },
  { keys: "]", until: /▌ analysis where/, seconds: 2 },
  { keys: enter, until: /Enter tasks/, seconds: 2 },
  { keys: "j", until: /Enter tasks/, seconds: 1.2 },
  { keys: enter, until: /▸ [✓✗]/, seconds: 2 },
  { keys: "j", until: /▸ [✓✗]/, seconds: 0.8 },
  { keys: enter, until: /\[1 Plan\]|Plan/, seconds: 2.5 },
  { keys: "e", until: /Plan/, seconds: 3.5, isStill: true },
  { keys: "\u001b", until: /▸ [✓✗]/, seconds: 0.5 },
  { keys: "\u001b", until: /Enter tasks/, seconds: 0.5 },
  { keys: "\u001b", until: /▌ analysis where/, seconds: 0.5 },
  { keys: "]]]", until: /▌ analysis apps-first/, seconds: 3 },
];

/** Between two pictures of a screen that changes by itself, in seconds. */
const between = 0.25;

async function play(
  terminal: PseudoTerminal,
): Promise<{ readonly lines: readonly string[]; readonly film: ScreenFilm }> {
  const seen = new ScreenFilm();
  const events: (readonly [number, "o", string])[] = [];
  let clock = 0;
  let taken = 0;
  const take = () => {
    const written = terminal.written();
    if (written.length > taken) events.push([Number(clock.toFixed(3)), "o", written.slice(taken)]);
    taken = written.length;
  };
  for (const { keys, until, seconds, isStill = false } of steps) {
    if (keys !== undefined) terminal.type(keys);
    await terminal.waitFor(until);
    for (let left = seconds; left > 0; left -= between) {
      const now = Math.min(between, left);
      await new Promise((resolve) => setTimeout(resolve, 1000 * now));
      take();
      seen.add(terminal.terminal, now, isStill);
      clock += now;
    }
  }
  const head = {
    version: 2,
    width: size.columns,
    height: size.rows,
    title: "Planwright",
    env: { TERM: "xterm-256color" },
  };
  return { lines: [head, ...events].map((each) => JSON.stringify(each)), film: seen };
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), "planwright-cast-"));
  try {
    mkdirSync(join(folder, "sessions", "welcome"), { recursive: true });
    writeFileSync(join(folder, "sessions/welcome/session.md"), readFileSync("sessions/welcome/session.md", "utf8"));
    const terminal = openProgram({ args: ["welcome", "--theme", "dark"], folder, ...size });
    const { lines, film: seen } = await play(terminal);
    writeFileSync(recording, `${lines.join("\n")}\n`);
    writeFileSync(film, seen.svg(terminal.terminal));
    terminal.kill("SIGTERM");
    await terminal.ended;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
