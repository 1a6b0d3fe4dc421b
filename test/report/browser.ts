/**
 * Pages in a real headless Chromium, driven over the DevTools protocol through two pipes, so no port is opened. Tests that need it are
 * skipped by name if it is not installed; `.ci/run` installs Debian's.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { test } from "vitest";
import { until } from "../until.ts";

const program = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);

/** A test that is skipped if there is no Chromium. */
export const testInBrowser = (name: string, body: () => Promise<void>): void =>
  void test.skipIf(program === undefined)(`${name} (in Chromium)`, body);

type Answer = {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
};

export class Browser {
  readonly #folder = mkdtempSync(join(tmpdir(), "planwright-browser-"));
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #sent = 0;
  #session: string | undefined;
  /** Addresses that the page requested, and its console output. */
  readonly requests: string[] = [];
  readonly console: string[] = [];

  constructor() {
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--window-size=1200,900"];
    this.#process = spawn(program!, [...flags, `--user-data-dir=${this.#folder}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    let rest = "";
    const output = this.#process.stdio[4] as Readable;
    output.setEncoding("utf8").on("data", (piece: string) => {
      const messages = (rest + piece).split("\0");
      rest = messages.pop()!;
      for (const message of messages) this.#take(JSON.parse(message) as Answer);
    });
  }

  #take({ id, result, error, method, params = {} }: Answer): void {
    if (method === "Network.requestWillBeSent") this.requests.push((params["request"] as { readonly url: string }).url);
    if (method === "Log.entryAdded") this.console.push((params["entry"] as { readonly text: string }).text);
    if (method === "Runtime.exceptionThrown") this.console.push(JSON.stringify(params));
    if (id !== undefined) this.#waiting.get(id)?.({ ...(result && { result }), ...(error && { error }) });
  }

  async #ask(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#sent;
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, resolve);
    (this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    const { result = {}, error } = await promise;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Opens a file, and waits until it is there. */
  async open(path: string): Promise<void> {
    const { targetId } = await this.#ask("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.#ask("Target.attachToTarget", { targetId, flatten: true });
    this.#session = sessionId as string;
    for (const domain of ["Network", "Log", "Runtime", "Page"]) await this.#ask(`${domain}.enable`);
    const url = pathToFileURL(path).href;
    await this.#ask("Page.navigate", { url });
    await until(async () => {
      const state = await this.evaluate<string>("document.readyState + ' ' + location.href");
      if (state !== `complete ${url}`) throw new Error(state);
    });
  }

  /** The value of an expression in the page. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const found = await this.#ask("Runtime.evaluate", { expression, returnByValue: true });
    if (found["exceptionDetails"] !== undefined) throw new Error(JSON.stringify(found["exceptionDetails"]));
    return (found["result"] as { readonly value: Value }).value;
  }

  /** Presses and releases the mouse in the middle of the first matching element, scrolled into the window before. */
  async click(selector: string): Promise<void> {
    const place = `(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: "center" });
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    })()`;
    const at = { ...(await this.evaluate<object>(place)), button: "left", clickCount: 1 };
    await this.#ask("Input.dispatchMouseEvent", { type: "mousePressed", ...at });
    await this.#ask("Input.dispatchMouseEvent", { type: "mouseReleased", ...at });
  }

  /** From now on the reader's system is set to a dark background. */
  async darken(): Promise<void> {
    await this.#ask("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
  }

  /** From now on the page is laid out in so many pixels across: in a window, or on paper. */
  async layOut(width: number, media: "screen" | "print"): Promise<void> {
    await this.#ask("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
    await this.#ask("Emulation.setEmulatedMedia", { media });
  }

  /** Presses and releases Enter or the tabulator. */
  async press(key: "Enter" | "Tab"): Promise<void> {
    const code = key === "Enter" ? 13 : 9;
    const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === "Enter" && { text: "\r" }) };
    await this.#ask("Input.dispatchKeyEvent", { type: "keyDown", ...event });
    await this.#ask("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  /** The window as a PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.#ask("Page.captureScreenshot");
    return Buffer.from(data as string, "base64");
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#process.once("exit", resolve);
    this.#process.kill("SIGKILL");
    await promise;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
