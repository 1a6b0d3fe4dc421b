import { resolve } from "node:path";
import { expect, test } from "vitest";
import { writtenText } from "../../../source/terminal/frame/exports.ts";

test("what was written is told from the folder one is in, several files by their folder", () => {
  const here = (path: string) => resolve("sessions/welcome/exports", path);
  expect(writtenText([here("a.csv")])).toBe("Written: sessions/welcome/exports/a.csv");
  expect(writtenText(["/elsewhere/a.csv"])).toBe("Written: /elsewhere/a.csv");
  expect(writtenText([here("a.svg"), here("b.svg"), here("atif/1.json")])).toBe(
    "Written: 3 files in sessions/welcome/exports: a.svg, b.svg, sessions/welcome/exports/atif/1.json",
  );
});
