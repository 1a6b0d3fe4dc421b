/** Every way out of the terminal, each in a run and with the mouse taken: the terminal is given back, the run recorded, the session free. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { openProgram, type PseudoTerminal, type Start } from "../../test/stories/pseudo-terminal.ts";
import type { Line, Torture } from "./part.ts";
import { cli, Scene, wait } from "./program.ts";

const cell = "```run main\nsuite: appbench\nsplit: all\ndata: sample\nmodel: builtin/oracle?pace=25\n```\n";

type Way = {
  readonly leave: (screen: PseudoTerminal) => void | Promise<void>;
  readonly status: number;
  /** Not started: nothing is running when it is left. */
  readonly idle?: true;
  /** Nobody is left to give the terminal back to. */
  readonly gone?: true;
  readonly env?: Readonly<Record<string, string>>;
};

const signal = (name: string) => (screen: PseudoTerminal) => screen.kill(name);
/** Makes the program throw, or reject, when it gets a signal. */
const mistaken = (how: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => { ${how} });`)}`,
});

const ways: Readonly<Record<string, Way>> = {
  q: { leave: (screen) => screen.type("q"), status: 0, idle: true },
  "q, then y": {
    async leave(screen) {
      screen.type("q");
      await screen.waitFor(/still running.*y\/n/);
      screen.type("y");
    },
    status: 0,
  },
  "Ctrl+C twice": {
    async leave(screen) {
      screen.type("\u0003");
      await screen.waitFor(/Ctrl\+C again quits/);
      screen.type("\u0003");
    },
    status: 0,
  },
  SIGINT: { leave: signal("SIGINT"), status: 130 },
  SIGTERM: { leave: signal("SIGTERM"), status: 143 },
  SIGHUP: { leave: signal("SIGHUP"), status: 129 },
  "the terminal closed": { leave: (screen) => screen.hangUp(), status: 129, gone: true },
  "an uncaught exception": { leave: signal("SIGUSR2"), status: 1, env: mistaken('throw new Error("bug")') },
  "an unhandled rejection": { leave: signal("SIGUSR2"), status: 1, env: mistaken('Promise.reject(new Error("bug"))') },
  "SIGSTOP and SIGCONT, then SIGTERM": {
    async leave(screen) {
      screen.kill("SIGSTOP");
      await wait(500);
      screen.kill("SIGCONT");
      await wait(500);
      screen.kill("SIGTERM");
    },
    status: 143,
  },
};

export async function* waysOut(_torture: Torture): AsyncGenerator<Line> {
  for (const [name, way] of Object.entries(ways)) yield { what: name, tries: 1, broken: await leave(way) };
  yield await paneKilled();
  yield {
    what: "Ctrl+Z and `fg`",
    tries: 1,
    broken: await suspend(() => `"${process.execPath}" "${cli}" mine --mouse`),
  };
  const root = resolve(import.meta.dirname, "..", "..");
  const npm = (scene: Scene) => `cd "${root}"; npm start --silent -- "${scene.at("sessions/mine")}" --mouse`;
  yield { what: "Ctrl+Z and `fg` under `npm start`", tries: 1, broken: await suspend(npm) };
}

function begin(scene: Scene, more: Partial<Start> = {}): PseudoTerminal {
  scene.session(cell);
  return openProgram({ args: ["mine", "--mouse"], folder: scene.folder, columns: 90, rows: 24, ...more });
}

async function leave({ leave: go, status, idle, gone, env = {} }: Way): Promise<string[]> {
  using scene = new Scene();
  const screen = begin(scene, { env });
  await screen.waitFor(/\/31/);
  if (idle === undefined) {
    screen.type("r");
    await screen.waitFor(/[1-9]\d*\/31/);
  }
  await go(screen);
  const ended = await screen.ended;
  return [
    ...(ended === status || gone === true ? [] : [`expected status ${status}, got ${ended}`]),
    ...(gone === true || isRestored(screen.written()) ? [] : ["the terminal was not given back"]),
    ...left(scene, idle === undefined),
  ];
}

function isRestored(written: string): boolean {
  const last = (text: string) => written.lastIndexOf(text);
  const isOff = (mode: number) => last(`\u001b[?${mode}l`) > last(`\u001b[?${mode}h`);
  return [1049, 1000, 1006].every(isOff) && last("\u001b[?25h") > last("\u001b[?25l");
}

/** Returns problems it left behind. */
function left(scene: Scene, ran: boolean): string[] {
  const last = scene.events().at(-1);
  return [
    ...(ran && last?.reason !== "stopped" ? [`the run ends with ${JSON.stringify(last)}`] : []),
    ...(existsSync(scene.at("sessions/mine/session.lock")) ? ["the lock was left behind"] : []),
  ];
}

async function paneKilled(): Promise<Line> {
  const what = "the tmux pane killed";
  using scene = new Scene();
  scene.session(cell);
  const socket = ["-L", `planwright-${process.pid}`];
  const tmux = (...args: string[]) => spawnSync("tmux", [...socket, ...args], { encoding: "utf8", cwd: scene.folder });
  const start = `env PLANWRIGHT_CONFIG_DIR=${scene.at("settings")} ${process.execPath} ${cli} mine --mouse`;
  if (tmux("new-session", "-d", "-s", "one", "-x", "90", "-y", "24", start).status !== 0)
    return { what, tries: 0, broken: [], skipped: "there is no tmux" };
  const screen = () => tmux("capture-pane", "-p", "-t", "one").stdout;
  while (!screen().includes("/31")) await wait(100);
  tmux("send-keys", "-t", "one", "r");
  while (!/[1-9]\d*\/31/.test(screen())) await wait(100);
  tmux("kill-pane", "-t", "one");
  tmux("kill-server");
  // It ends by itself, in its own time.
  for (let tries = 0; tries < 50 && left(scene, true).length > 0; tries++) await wait(100);
  return { what, tries: 1, broken: left(scene, true) };
}

async function suspend(command: (scene: Scene) => string): Promise<string[]> {
  using scene = new Scene();
  const shell = ["bash", "--norc", "-i"] as const;
  const screen = begin(scene, { args: [], shell, env: { PS1: "shell> " } });
  await screen.waitFor(/shell> $/m);
  screen.type(`${command(scene)}\r`);
  await screen.waitFor(/\/31/);
  screen.type("r");
  await screen.waitFor(/[1-9]\d*\/31/);
  screen.type("\u001a");
  await screen.waitFor(/Stopped/);
  const given = isRestored(screen.written());
  screen.type("fg\r");
  await screen.waitFor(/notebook[\s\S]*run main/);
  screen.type("\u0003");
  await screen.waitFor(/Ctrl\+C again quits/);
  screen.type("\u0003");
  await screen.waitFor(/Session: [\s\S]*shell> $/m);
  screen.type("exit\r");
  await screen.ended;
  return [...(given ? [] : ["the shell was not given its terminal"]), ...left(scene, true)];
}
