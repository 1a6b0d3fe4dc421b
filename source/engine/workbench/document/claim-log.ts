/**
 * The hour at which each claim of a notebook was first seen, and how many tasks had results then: `claims.jsonl` in its folder. A
 * claim that was written after its results is a description of them, not a prediction.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../../files/replace-file.ts";
import type { WrittenClaim } from "../../measures/claim.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import { fallback } from "../../work/fallback.ts";

/** `before`: the claim existed before this file, so its time is unknown. */
const line = z.union([
  z.object({ text: z.string(), at: z.iso.datetime(), known: z.int().min(0), of: z.int().min(0) }),
  z.object({ text: z.string(), before: z.literal(true) }),
]);
type Line = z.infer<typeof line>;

export class ClaimLog {
  readonly #folder: Pick<SessionFolder, "path" | "checkInPlace">;
  readonly #writes: () => boolean;
  #lines: Map<string, Line> | undefined;
  /** True until the claims of a notebook with results but without this file have been seen. */
  #isOlder: boolean;

  constructor(folder: Pick<SessionFolder, "path" | "checkInPlace">, writes: () => boolean) {
    this.#folder = folder;
    this.#writes = writes;
    const runs = join(folder.path, "runs");
    this.#isOlder = !existsSync(this.#file) && existsSync(runs) && readdirSync(runs).length > 0;
  }

  get #file(): string {
    return join(this.#folder.path, "claims.jsonl");
  }

  /** Returns when a claim was written; undefined if that is not known. */
  of(text: string): WrittenClaim | undefined {
    const found = this.#read().get(text);
    return found === undefined || "before" in found ? undefined : { at: found.at, known: found.known, of: found.of };
  }

  /** True if a claim is to be noted. */
  lacks(text: string): boolean {
    return this.#writes() && !this.#read().has(text);
  }

  /**
   * Records these claims, each with the number of tasks that currently have a result. Claims that cannot be written are
   * recorded next time.
   */
  note(claims: readonly { readonly text: string; readonly known: number; readonly of: number }[]): void {
    const [lines, at] = [this.#read(), new Date()];
    for (const { text, known, of } of claims) {
      if (lines.has(text)) continue;
      lines.set(text, this.#isOlder ? { text, before: true } : { text, at: at.toISOString(), known, of });
    }
    this.#isOlder = false;
    try {
      this.#folder.checkInPlace();
      replaceFile(this.#file, [...lines.values()].map((each) => `${JSON.stringify(each)}\n`).join(""));
    } catch {
      // The folder is not writable, or another program has the session.
    }
  }

  /** Lines that cannot be read are ignored. */
  #read(): Map<string, Line> {
    if (this.#lines !== undefined) return this.#lines;
    const text = existsSync(this.#file) ? readFileSync(this.#file, "utf8") : "";
    const lines = text.split("\n").flatMap((each) => readLine(each) ?? []);
    return (this.#lines = new Map(lines.map((each) => [each.text, each])));
  }
}

const readLine = (text: string): Line | undefined => fallback(() => line.parse(JSON.parse(text)));
