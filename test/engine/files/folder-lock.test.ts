import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { FolderLock } from "../../../source/engine/files/folder-lock.ts";
import {
  identityLine,
  processIdentity,
  thisProcess,
  type ProcessIdentity,
} from "../../../source/engine/files/process-identity.ts";
import { until } from "../../until.ts";
import { openTestClock } from "../work/test-clock.ts";
import { breakWhere, breakableFiles } from "./faulty-files.ts";

breakableFiles();

let folder: string;
let path: string;
const locks: FolderLock[] = [];
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "planwright-lock-")), "session");
  mkdirSync(folder);
  path = join(folder, "session.lock");
});
afterEach(() => {
  breakWhere();
  for (const lock of locks.splice(0)) lock.release();
  rmSync(join(folder, ".."), { recursive: true });
});

function lockOf(at = path): FolderLock {
  const lock = new FolderLock(at);
  locks.push(lock);
  return lock;
}

function held(): FolderLock {
  const lock = lockOf();
  expect(lock.take()).toBeUndefined();
  return lock;
}

/** Returns the holder of the lock that is asked for. */
function refusedBy(lock: FolderLock, fromSilent = false): string | undefined {
  const holder = lock.take(fromSilent);
  return holder && `${holder.name}${holder.silent === undefined ? "" : " silent"}`;
}

/** Writes another holder's lock with a time so many seconds ago. */
function foreign(identity: Partial<ProcessIdentity>, secondsAgo: number): void {
  writeFileSync(path, `${identityLine({ ...thisProcess(), ...identity })} 0123456789ab\n`);
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(path, then, then);
}

describe("a copy of a folder whose original is open", () => {
  const copied = () => {
    const lock = held();
    const copy = `${folder}-copy`;
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
    return { lock, copy, path: join(copy, "session.lock") };
  };
  /** Writes the lock like a holder elsewhere. */
  const writtenBy = (at: string, identity: Partial<ProcessIdentity>, folderIdentity?: string) => {
    const words = readFileSync(at, "utf8").trim().split(" ");
    const line = identityLine({ ...thisProcess(), ...identity });
    writeFileSync(at, `${line} ${words[5]} ${folderIdentity ?? words[6]}\n`);
  };

  it("is not locked, and the original stays locked", () => {
    const { lock, path: copy } = copied();
    expect(lockOf(copy).isHeld()).toBe(false);
    expect(lockOf(copy).take()).toBeUndefined();
    expect(() => lock.check()).not.toThrow();
    expect(refusedBy(lockOf())).toBe(`process ${process.pid}`);
  });

  it("is not locked on another machine", () => {
    const { path: copy } = copied();
    writtenBy(copy, elsewhere);
    expect(lockOf(copy).take()).toBeUndefined();
  });

  it("is not detected if only the device number differs, as on another machine", () => {
    const { path: copy } = copied();
    writtenBy(copy, elsewhere, `4711:${statSync(join(copy, "..")).ino}`);
    expect(refusedBy(lockOf(copy))).toBe("process 7 on far-away");
  });

  it("is not detected if the folder was only renamed", () => {
    held();
    renameSync(folder, `${folder}-2`);
    expect(refusedBy(lockOf(join(`${folder}-2`, "session.lock")))).toBe(`process ${process.pid}`);
  });

  it("is treated as the original if the lock does not contain the folder, as in older versions", () => {
    const { path: copy } = copied();
    writeFileSync(copy, `${identityLine(thisProcess())} 0123456789ab\n`);
    expect(refusedBy(lockOf(copy))).toBe(`process ${process.pid}`);
  });
});

const elsewhere = { pid: 7, host: "far-away", boot: "another" };

describe("a second process that wants the lock", () => {
  it.each<[string, Partial<ProcessIdentity>, number, string | undefined]>([
    ["is rejected while the holder is alive, however long ago it wrote", {}, 1e6, `process ${process.pid} silent`],
    ["is rejected while the holder is alive and writes", {}, 50, `process ${process.pid}`],
    ["takes over from a dead process, however recently it wrote", { pid: 999_999_999 }, 0, undefined],
    ["takes over from a dead process whose id another process has now", { started: "1" }, 0, undefined],
    ["is rejected if another machine holds it and wrote recently", elsewhere, 50, "process 7 on far-away"],
    ["takes over from another machine that has not written for a minute", elsewhere, 61, undefined],
    ["takes over if the other machine's clock was set back since it wrote", elsewhere, -61, undefined],
    [
      "is rejected if another container holds it and wrote recently",
      { pid: 1, host: "c1", namespace: "pid:[1]" },
      50,
      "process 1 on c1",
    ],
    [
      "takes over from another container that has not written for a minute",
      { pid: 1, namespace: "pid:[1]" },
      61,
      undefined,
    ],
  ])("%s", (_, identity, secondsAgo, holder) => {
    foreign(identity, secondsAgo);
    expect(refusedBy(lockOf())).toBe(holder);
    expect(readdirSync(folder)).toEqual(["session.lock"]);
  });

  it.each([
    [
      "of version 0.1.0 whose process is alive",
      () => `${process.pid} ${thisProcess().started ?? ""}`.trim(),
      `process ${process.pid}`,
    ],
    ["of version 0.1.0 whose process is dead", () => "999999999 12", undefined],
    ["that is still being written", () => "", "a program that is starting"],
  ])("recognises a lock %s", (_, text, holder) => {
    writeFileSync(path, text());
    expect(refusedBy(lockOf())).toBe(holder);
  });

  it.skipIf(!existsSync("/proc/self/stat"))(
    "takes the lock of a killed process that its parent has not reaped",
    async () => {
      // `sleep` takes the place of the shell, and asks for no child's end.
      const parent = spawn("sh", ["-c", "sleep 1000 & echo $!; exec sleep 1000"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => void parent.kill("SIGKILL"));
      const pid = Number((await createInterface(parent.stdout)[Symbol.asyncIterator]().next()).value);
      await until(() => expect(readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n"));
      process.kill(pid, "SIGKILL");
      await until(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /));
      foreign(processIdentity(pid), 0);
      expect(lockOf().isHeld()).toBe(false);
      expect(lockOf().take()).toBeUndefined();
    },
  );

  it.each<[string, number, string | undefined]>([
    ["takes the lock on request if its live holder has not written for a minute", 61, undefined],
    ["is rejected, even on request, if the holder wrote less than a minute ago", 50, `process ${process.pid}`],
  ])("%s", (_, secondsAgo, holder) => {
    foreign({}, secondsAgo);
    expect(refusedBy(lockOf(), true)).toBe(holder);
  });

  it("takes no lock from a new holder if it acts late on a lock that was abandoned before", () => {
    foreign({ pid: 999_999_999 }, 0);
    const faster = lockOf();
    let first = true;
    breakWhere((change) => {
      if (!first || !/^(mkdir|rename) /.test(change)) return undefined;
      first = false;
      expect(faster.take()).toBeUndefined();
      return undefined;
    });
    expect(refusedBy(lockOf())).toBe(`process ${process.pid}`);
    expect(first).toBe(false);
    expect(() => faster.check()).not.toThrow();
  });

  it("takes the lock if another process was killed while it took the lock", () => {
    foreign({ pid: 999_999_999 }, 0);
    mkdirSync(`${path}.takeover`);
    utimesSync(`${path}.takeover`, 0, 0);
    held();
    expect(readdirSync(folder)).toEqual(["session.lock"]);
  });

  it("gets no lock and leaves the old lock if it cannot replace the old lock", () => {
    foreign({ pid: 999_999_999 }, 0);
    breakWhere((change) =>
      change.startsWith("rename ") ? Object.assign(new Error("EPERM"), { code: "EPERM" }) : undefined,
    );
    const lock = lockOf();
    expect(() => lock.take()).toThrow("EPERM");
    lock.release();
    breakWhere();
    expect(readdirSync(folder)).toEqual(["session.lock"]);
    expect(readFileSync(path, "utf8")).toContain("999999999");
  });

  it("is rejected on a disk without hard links, too", () => {
    breakWhere((change) =>
      change.startsWith("link ") ? Object.assign(new Error("EPERM"), { code: "EPERM" }) : undefined,
    );
    const lock = held();
    expect(refusedBy(lockOf())).toBe(`process ${process.pid}`);
    expect(() => lock.check()).not.toThrow();
  });
});

describe("the holder of a lock", () => {
  const taken =
    /^The lock of \S+session was taken by another Planwright \(process 7 on far-away\): nothing more is written here$/;

  it.each<[string, () => void, RegExp]>([
    ["its lock file was overwritten by another process", () => foreign(elsewhere, 0), taken],
    [
      "its lock file was replaced by another process",
      () => {
        writeFileSync(`${path}.x`, `${identityLine({ ...thisProcess(), ...elsewhere })} x\n`);
        renameSync(`${path}.x`, path);
      },
      taken,
    ],
    ["its lock was removed", () => rmSync(path), /was taken by somebody/],
    [
      "its folder was removed",
      () => rmSync(folder, { recursive: true }),
      /session was removed while it was open: nothing more is written$/,
    ],
  ])("notices that it lost the lock, before each write and within a second, if %s", async (_, act, words) => {
    const lock = held();
    const clock = openTestClock();
    const lost: string[] = [];
    lock.watch(clock, (why) => lost.push(why));
    await clock.advance(1000);
    expect(lost).toEqual([]);
    act();
    expect(() => lock.check()).toThrow(words);
    expect(() => lock.checkInPlace()).toThrow(words);
    await clock.advance(1000);
    expect(lost).toEqual([expect.stringMatching(words)]);
    expect(clock.due()).toEqual([]);
    const [there, text] = [existsSync(path), existsSync(path) && readFileSync(path, "utf8")];
    lock.release();
    expect([existsSync(path), existsSync(path) && readFileSync(path, "utf8")]).toEqual([there, text]);
  });

  it("keeps the lock of a renamed folder, although the old path now leads elsewhere", () => {
    const lock = held();
    renameSync(folder, `${folder}-2`);
    expect(() => lock.check()).not.toThrow();
    expect(() => lock.checkInPlace()).toThrow(/session was moved away or renamed while it was open/);
    mkdirSync(folder);
    const other = lockOf();
    expect(other.take()).toBeUndefined();
    expect(() => lock.check()).not.toThrow();
    expect(() => other.checkInPlace()).not.toThrow();
    lock.release();
    expect(readdirSync(folder)).toEqual(["session.lock"]);
  });

  it("stops its heartbeat after it releases the lock", async () => {
    const lock = held();
    const clock = openTestClock();
    lock.watch(clock, () => {});
    utimesSync(path, 0, 0);
    await clock.advance(14_000);
    expect(statSync(path).mtimeMs).toBe(0);
    await clock.advance(1500);
    expect(statSync(path).mtimeMs).toBeGreaterThan(1e12);
    lock.release();
    expect(clock.due()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("writes nothing after a suspension if another holder took the lock", async () => {
    const source = (name: string) => JSON.stringify(join(import.meta.dirname, "../../../source/engine", name));
    const child = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { FolderLock } from ${source("files/folder-lock.ts")};
        import { Log } from ${source("log/file/log.ts")};
        const lock = new FolderLock(${JSON.stringify(path)});
        lock.take();
        const log = new Log(${JSON.stringify(join(folder, "events.jsonl"))}, undefined, { check: () => lock.check() });
        process.stdin.on("data", () => {
          try {
            log.append({ type: "run-ended", reason: "done" });
            log.flush();
            console.log("written");
          } catch (error) {
            console.log(error.message);
          }
        });
        console.log("holds");`,
      ],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const line = async () => (await lines.next()).value as string;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    expect(await line()).toBe("holds");
    child.stdin.write("x");
    expect(await line()).toBe("written");
    child.kill("SIGSTOP");
    foreign(elsewhere, 0);
    const log = readFileSync(join(folder, "events.jsonl"), "utf8");
    child.stdin.write("x");
    child.kill("SIGCONT");
    expect(await line()).toMatch(taken);
    child.stdin.write("x");
    expect(await line()).toMatch(taken);
    child.stdin.end();
    await ended;
    expect(readFileSync(join(folder, "events.jsonl"), "utf8")).toBe(log);
    expect(readFileSync(path, "utf8")).toContain("far-away");
  });
});
