/** Two programs that cannot see each other's processes open one session, as two containers with one folder do. */
import { spawnSync } from "node:child_process";
import type { Line, Torture } from "./part.ts";
import { cli, Scene, scoredOnce } from "./program.ts";

const cell = "```run main\nsuite: appbench\nsplit: all\ndata: sample\nmodel: builtin/oracle?pace=10\n```\n";
const apart = ["--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc"];

// oxlint-disable-next-line require-yield
export async function* namespaces(_torture: Torture): AsyncGenerator<Line> {
  const what = "two process namespaces run one session at the same time";
  if (spawnSync("unshare", [...apart, "true"]).status !== 0)
    return yield { what, tries: 0, broken: [], skipped: "this system gives no namespaces" };
  using scene = new Scene();
  scene.session(cell);
  const both = [1, 2].map(() => scene.command("unshare", [...apart, process.execPath, cli, "run", "mine"]).ended);
  const ended = await Promise.all(both);
  const done = ended.filter(({ status }) => status === 0);
  const refused = ended.filter(({ status, err }) => status === 2 && /open|lock/i.test(err));
  const broken = [...scoredOnce(scene, 31)];
  if (done.length !== 1 || refused.length !== 1)
    broken.push(`expected one to run and one to be refused, got ${JSON.stringify(ended.map(({ status }) => status))}`);
  yield { what, tries: 1, broken };
}
