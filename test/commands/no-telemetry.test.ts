/** The program connects to the addresses that the user gave, and to no other. */
import { mkdirSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startBuiltinServer } from "../../source/engine/models/builtin/builtin-server.ts";
import { temporaryFolder, typed } from "./typed.ts";

const at = temporaryFolder();
const connected: unknown[] = [];
const { connect } = Socket.prototype;

beforeEach(() => {
  connected.length = 0;
  vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [first] = args.flat() as [{ readonly host?: string; readonly port?: number; readonly path?: string }];
    connected.push(typeof first === "object" ? (first.path ?? `${first.host}:${first.port}`) : first);
    return Reflect.apply(connect, this, args) as Socket;
  });
});
afterEach(() => vi.restoreAllMocks());

describe("a program without telemetry", () => {
  it("opens no connection to run, print, export, report and list a notebook with a built-in model", async () => {
    const session = at("sessions", "sums");
    mkdirSync(session, { recursive: true });
    writeFileSync(
      `${session}/session.md`,
      "```run sums\nsuite: appbench\ndata: sample\nmodel: builtin/oracle\nlimit: 2\n```\n",
    );
    const lines = [
      ["run", session],
      ["run", session, "--json"],
      ["export", session, "--rows", "csv"],
      ["export", session, "--report", at("report.html")],
      ["list", at()],
      ["help", "judges"],
      ["check", session],
      ["data", "list"],
    ];
    for (const line of lines) expect([line[0], (await typed(...line)).status]).toEqual([line[0], 0]);
    expect(connected).toEqual([]);
  });

  it("connects only to the endpoint of a run", async () => {
    const nobody = () => Promise.reject(new Error("No task is asked for"));
    const server = await startBuiltinServer({ lorem: 8, sources: { loadedFor: nobody, taskFor: nobody } });
    try {
      const session = at("served");
      mkdirSync(session);
      expect(await typed("endpoint", "add", "lab", "--base-url", server.url)).toMatchObject({ status: 0 });
      writeFileSync(
        `${session}/session.md`,
        "```run served\nsuite: appbench\ndata: sample\nmodel: lab/any\nlimit: 2\n```\n",
      );
      await typed("run", session);
      expect(new Set(connected)).toEqual(new Set([new URL(server.url).host]));
    } finally {
      await server.close();
    }
  });
});
