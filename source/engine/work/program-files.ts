/** The program's own files as they were at its start, because an upgrade or removal may replace them while it is open. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import * as module from "node:module";
import { pathToFileURL } from "node:url";
import { stampOf } from "./file-stamp.ts";

/** Milliseconds after the start, when the first frame is drawn and a short command has ended. */
const start = 1000;

/** Bytes by address. */
const kept = new Map<string, Uint8Array>();
/**
 * Stamps of every file of the bundle at the program's start, by address; the code that uses a file may itself be loaded much
 * later.
 */
const stamps = new Map<string, string | undefined>();

/**
 * Reads, when idle, all parts of the bundle in this folder that may be loaded later: some 5 MB. From then on, code is loaded as
 * it was at the start. The returned function ends the reading, so that a finished program waits for no file.
 */
export function keepProgramFiles(folder: string): () => void {
  const files = programFilesIn(folder);
  for (const file of files) stamps.set(file.href, stampOf(file));
  let isOver = false;
  const read = async () => {
    for (const file of files) {
      if (isOver) return;
      const bytes = await readFile(file).catch(() => undefined);
      // Another build may have come already.
      if (bytes !== undefined && stampOf(file) === stamps.get(file.href)) kept.set(file.href, bytes);
    }
  };
  module.registerHooks({
    resolve(specifier, context, next) {
      const url = URL.canParse(specifier, context.parentURL) ? new URL(specifier, context.parentURL).href : "";
      return kept.has(url) ? { url, format: "module", shortCircuit: true } : next(specifier, context);
    },
    load(url, context, next) {
      const bytes = kept.get(url);
      // Node's cache of compiled code serves the file as long as it exists.
      if (bytes === undefined || stampOf(new URL(url)) === stamps.get(url)) return next(url, context);
      return { format: "module", source: bytes, shortCircuit: true };
    },
  });
  setTimeout(() => void read(), start).unref();
  return () => void (isOver = true);
}

/** Lists the parts of a bundle in a folder, by name. */
export function programFilesIn(folder: string): readonly URL[] {
  const base = pathToFileURL(`${folder}/`);
  const names = readdirSync(folder).filter((name) => /\.(js|wasm)$/.test(name));
  return names.toSorted().map((name) => new URL(name, base));
}

/** Lists the parts of the bundle from which this program was started; empty if it is executed from its sources. */
export const startedFiles = (): readonly URL[] => [...stamps.keys()].map((href) => new URL(href));

/** Returns the bytes of a file of the program. */
export const programBytes = async (file: URL): Promise<Uint8Array> => kept.get(file.href) ?? (await readFile(file));

/**
 * Returns a function for a file from which threads or processes start. The function returns undefined if the file is absent, or
 * replaced by another build, because parts of two builds do not work together.
 */
export function programFile(file: URL): () => URL | undefined {
  const first = stamps.has(file.href) ? stamps.get(file.href) : stampOf(file);
  return () => (first !== undefined && stampOf(file) === first ? file : undefined);
}
