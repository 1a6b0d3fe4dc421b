/** A session whose holder was killed and that nobody has reaped, as in a container without an init: it opens at once. */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { openProgram } from "../../test/stories/pseudo-terminal.ts";
import { amount, type Line, type Torture } from "./part.ts";
import { cli, Scene, scoredOnce, wait } from "./program.ts";

const cell = "```run main\nsuite: appbench\nsplit: all\ndata: sample\nmodel: builtin/oracle?pace=10\n```\n";

// oxlint-disable-next-line require-yield
export async function* holders(torture: Torture): AsyncGenerator<Line> {
  const what = "a run killed whose parent reaps nobody (state Z); the notebook opened, and the same command";
  if (!existsSync("/proc/self/stat"))
    return yield { what, tries: 0, broken: [], skipped: "this system has no /proc to see it by" };
  const tries = amount(torture, 2, 10, 20);
  const random = randomFrom(`${torture.seed} holders`);
  const moments = Array.from({ length: tries }, random);
  // Side by side, as they wait most of the time.
  const broken = await Promise.all(
    moments.map(async (moment) => (await unreaped(moment)).map((each) => `${moment.toFixed(3)}: ${each}`)),
  );
  yield { what, tries, broken: broken.flat() };
}

/** `moment`: which share of a second after it has its lock the holder is killed. */
async function unreaped(moment: number): Promise<string[]> {
  using scene = new Scene();
  scene.session(cell);
  // `sleep` takes the place of the shell, and asks for no child's end.
  const start = `"$1" "$2" run mine > /dev/null 2>&1 & echo $!; exec sleep 1000`;
  const { child } = scene.command("sh", ["-c", start, "sh", process.execPath, cli]);
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const holder = Number(line.toString());
  while (!existsSync(scene.at("sessions/mine/session.lock"))) await wait(5);
  await wait(moment * 1000);
  process.kill(holder, "SIGKILL");
  while (!/\) Z /.test(readFileSync(`/proc/${holder}/stat`, "utf8"))) await wait(5);
  const screen = openProgram({ args: ["mine"], folder: scene.folder, columns: 100, rows: 30 });
  const shown = await screen.waitFor(/run main/);
  screen.type("q");
  await screen.ended;
  const { status, err } = await scene.run("run", "mine");
  child.kill("SIGKILL");
  return [
    ...(/read-only/.test(shown) ? ["the notebook was opened read-only"] : []),
    ...(status === 0 ? [] : [`status ${status}: ${err.slice(-300)}`]),
    ...scoredOnce(scene, 31),
  ];
}
