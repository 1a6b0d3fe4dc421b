/** The codes of a session: the files of all people in `codes/`, read again when they change, and the user's own lines. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { appendLines } from "../../files/append-lines.ts";
import { leadsOut, mustStayIn } from "../../files/inside.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { Problem } from "../../problem.ts";
import type { Row, TaskRef } from "../../types.ts";
import type { CodeKind, Codebook, CodePlace, JudgeCheck, LabelSample } from "../../analysis.ts";
import { stampOf } from "../../work/file-stamp.ts";
import { LabelFiles } from "../judging/label-files.ts";
import type { SessionFolder } from "../session-folder.ts";
import {
  codesHead,
  codeLineText,
  readCodes,
  type CodeLine,
  type CodesLine,
  type LabelledLine,
  type ReadCodes,
} from "./code-line.ts";
import { isPersonFile, personFile } from "./person-file.ts";
import { attemptOf, codesOfTask, foldedCodes, isOfAttempt } from "./task-codes.ts";

/** Limit in bytes of a file that is read. */
const largest = 64 * 1024 * 1024;

const noChecks: readonly JudgeCheck[] = [];

type ReadFile = ReadCodes & { readonly stamp: string | undefined; readonly problem?: string };

/** The lines that `tag` and `label` wrote and withdrew. */
type Change = { readonly added: readonly string[]; readonly withdrawn: readonly (CodeLine | LabelledLine)[] };

/** The result for these tasks. */
export type Tagged = { readonly did: "tagged" | "withdrawn"; readonly tasks: number };

export type Tag = {
  readonly kind: string;
  readonly place?: CodePlace | undefined;
  readonly remark?: string | undefined;
};

type Around = {
  readonly folder: SessionFolder;
  /** Returns the user's name in codes. */
  readonly person: () => string;
  /** Returns the kinds of the notebook's cells; the same array until they change. */
  readonly kinds: () => readonly CodeKind[];
  /** Returns the labels with which the cells check judges; the same array until they change. If absent, there are no labels. */
  readonly checks?: () => readonly JudgeCheck[];
  /** Returns a task's row: codes name its attempt. */
  readonly row: (ref: TaskRef) => Row | undefined;
};

export class SessionCodes {
  readonly #around: Around;
  #files: ReadonlyMap<string, ReadFile> = new Map();
  #version = 0;
  #folded: { readonly of: readonly unknown[]; readonly codebook: Codebook } | undefined;
  readonly #labels: LabelFiles;
  readonly #changes: Change[] = [];

  constructor(around: Around) {
    this.#around = around;
    this.#labels = new LabelFiles(around.folder.path);
    this.look();
  }

  get person(): string {
    return this.#around.person();
  }
  get #folder(): string {
    return join(this.#around.folder.path, "codes");
  }
  /** The user's own file. */
  get file(): string {
    return join(this.#folder, personFile(this.person));
  }

  /** The codes of all people; the same object until something changes. */
  get codebook(): Codebook {
    const kinds = this.#around.kinds();
    const checks = this.#around.checks?.() ?? noChecks;
    // Files that a cell names are read when it does.
    if (this.#checks !== checks) this.#lookAtLabels(checks);
    const of = [kinds, this.#files, checks, this.#labelled];
    if (this.#folded === undefined || of.some((each, at) => each !== this.#folded!.of[at])) {
      const lines = [...this.#files.values()].flatMap((file) => file.lines);
      const checked = checks.length === 0 ? {} : { checks, labels: this.#labelled };
      this.#folded = { of, codebook: { ...foldedCodes(lines, kinds), ...checked } };
      this.#version += 1;
    }
    return this.#folded.codebook;
  }
  /** Increases with every change of a file or of the kinds. */
  get version(): number {
    void this.codebook;
    return this.#version;
  }

  /** Files and lines that cannot be read, in words. */
  get problems(): readonly string[] {
    return [...this.#files].flatMap(([name, { unreadable, problem }]) => {
      if (problem !== undefined) return [`codes/${name} is not read: ${problem}`];
      const [first] = unreadable;
      return first === undefined
        ? []
        : [
            unreadable.length === 1
              ? `codes/${name}: line ${first} is not a code and is ignored`
              : `codes/${name}: ${unreadable.length} lines are not codes and are ignored; the first is line ${first}`,
          ];
    });
  }

  /** Reads files that have changed; returns whether any has. Never throws. */
  look(): boolean {
    const names = this.#names();
    const before = this.#files;
    const files = new Map(
      names.map((name) => {
        const stamp = stampOf(join(this.#folder, name));
        const known = before.get(name);
        return [name, known?.stamp === stamp && known !== undefined ? known : this.#read(name, stamp)] as const;
      }),
    );
    const isSame = files.size === before.size && [...files].every(([name, file]) => before.get(name) === file);
    if (!isSame) this.#files = files;
    return this.#lookAtLabels(this.#around.checks?.() ?? noChecks) || !isSame;
  }

  #checks = noChecks;
  #labelled: NonNullable<Codebook["labels"]> = new Map();

  #lookAtLabels(checks: readonly JudgeCheck[]): boolean {
    const before = this.#labelled;
    this.#checks = checks;
    this.#labelled = this.#labels.of(checks);
    return this.#labelled !== before;
  }

  /** Sorted, so that the order of kinds is the same everywhere. */
  #names(): readonly string[] {
    try {
      if (leadsOut(this.#around.folder.path, this.#folder) !== undefined) return [];
      return readdirSync(this.#folder).filter(isPersonFile).toSorted();
    } catch {
      // There is no such folder yet.
      return [];
    }
  }

  #read(name: string, stamp: string | undefined): ReadFile {
    const path = join(this.#folder, name);
    const nothing = { lines: [], unreadable: [], stamp };
    try {
      mustStayIn(this.#around.folder.path, path);
      const found = statSync(path);
      if (!found.isFile()) return { ...nothing, problem: "this path is not a file" };
      if (found.size > largest) return { ...nothing, problem: `the file is larger than ${largest / 1024 / 1024} MB` };
      return { ...readCodes(readFileSync(path, "utf8")), stamp };
    } catch (error) {
      return { ...nothing, problem: (error as Error).message };
    }
  }

  /**
   * Gives these tasks a kind. Withdraws the kind instead if the user already gave it to all of them at this place, and there is
   * no remark. Throws `Problem` for a task that has not started, or if the file cannot be written.
   */
  tag(refs: readonly TaskRef[], { kind, place, remark }: Tag): Tagged {
    const own = refs.map((ref) => this.#own(ref, { kind, place }));
    const isTakenBack = remark === undefined && own.length > 0 && own.every((line) => line !== undefined);
    const before = own.filter((line) => line !== undefined);
    if (isTakenBack) {
      this.#change([], before);
      return { did: "withdrawn", tasks: refs.length };
    }
    // A remark replaces the code without it, or with another one.
    const replaced = remark === undefined ? [] : before;
    const added = refs
      .filter((_, index) => own[index] === undefined || remark !== undefined)
      .map((ref): CodeLine => {
        const more = { ...(place && { place: { ...place } }), ...(remark !== undefined && { remark }) };
        return { type: "code", ...this.#stamp(ref), kind, ...more };
      });
    this.#change(added, replaced);
    return { did: "tagged", tasks: refs.length };
  }

  /** Records that the user has examined a whole attempt, once for each sample. Throws as `tag` does. */
  label(ref: TaskRef, sample?: LabelSample): void {
    const row = this.#around.row(ref);
    const known = codesOfTask(this.codebook, ref).labelled;
    const isKnown = known.some(
      (each) =>
        each.by === this.person &&
        isOfAttempt(each, row) &&
        (sample === undefined || each.sample?.seed === sample.seed),
    );
    if (isKnown) return;
    const drawn = sample && { sample: { ...sample, runs: [...sample.runs] } };
    this.#change([{ type: "labelled", ...this.#stamp(ref), ...drawn }], []);
  }

  /**
   * Appends lines of another person, or of a model, except those that the file already contains. Throws `Problem` as `tag` does.
   */
  add(by: string, lines: readonly (CodeLine | LabelledLine)[]): void {
    const known = new Set(
      [...this.#files.values()].flatMap((file) =>
        file.lines.flatMap((line) => (line.by === by && line.type !== "withdrawn" ? line.id : [])),
      ),
    );
    const fresh = lines.filter(({ id }) => !known.has(id));
    if (fresh.length > 0) this.#write(fresh, by);
  }

  /**
   * Withdraws the last line that this program wrote; returns false if there is no line. Throws `Problem` if the file cannot be
   * written.
   */
  undo(): boolean {
    const last = this.#changes.pop();
    if (last === undefined) return false;
    const again = last.withdrawn.map((line) => ({ ...line, id: newId(), at: now() }));
    this.#write([...last.added.map((id) => this.#withdrawal(id)), ...again]);
    return true;
  }

  #own({ run, task }: TaskRef, { kind, place }: Pick<Tag, "kind" | "place">): CodeLine | undefined {
    const row = this.#around.row({ run, task });
    const found = codesOfTask(this.codebook, { run, task }).codes.find(
      (code) =>
        code.by === this.person && code.kind === kind && isOfAttempt(code, row) && isSamePlace(code.place, place),
    );
    return found && { type: "code", run, task, ...found, ...(found.place && { place: { ...found.place } }) };
  }

  #stamp({ run, task }: TaskRef) {
    const row = this.#around.row({ run, task });
    if (row === undefined) throw new Problem("tool", `Task \`${task}\` has not begun: there is nothing to label`);
    return { id: newId(), by: this.person, at: now(), run, task, attempt: attemptOf(row) };
  }

  #withdrawal = (id: string): CodesLine => ({ type: "withdrawn", by: this.person, at: now(), id });

  #change(added: readonly (CodeLine | LabelledLine)[], withdrawn: readonly (CodeLine | LabelledLine)[]): void {
    this.#write([...withdrawn.map(({ id }) => this.#withdrawal(id)), ...added]);
    this.#changes.push({ added: added.map(({ id }) => id), withdrawn });
  }

  #write(lines: readonly CodesLine[], by = this.person): void {
    const { folder } = this.#around;
    folder.checkInPlace();
    // The folder may be a link by now.
    mustStayIn(folder.path, this.#folder);
    makeFolder(this.#folder);
    const file = join(this.#folder, personFile(by));
    mustStayIn(folder.path, file);
    appendLines(file, codesHead(), lines.map(codeLineText).join(""));
    this.look();
  }
}

const newId = (): string => randomBytes(9).toString("base64url");
const now = (): string => new Date().toISOString();

/** Returns true if both codes have the same place. A block can contain several lines, so quotes are compared, too. */
function isSamePlace(one: CodePlace | undefined, other: CodePlace | undefined): boolean {
  const by = ["section", "block", "end", "quote"] as const;
  return by.every((name) => one?.[name] === other?.[name]);
}
