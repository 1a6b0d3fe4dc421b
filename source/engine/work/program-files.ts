/**
 * The program's own files as they were when it started: while it is open it may be built again, upgraded or removed, and
 * would find another build in their place, or nothing.
 */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import * as module from "node:module";
import { pathToFileURL } from "node:url";
import { stampOf } from "./file-stamp.ts";

/** Milliseconds after the start: the first frame is drawn by then, and a short command has ended. */
const start = 1000;

/** Bytes by address. */
const kept = new Map<string, Uint8Array>();
/** Of every file of the bundle as the program started, by address: what uses a file may itself be loaded much later. */
const stamps = new Map<string, string | undefined>();

/**
 * Reads, once nothing else is to do, all parts of the bundle in this folder that may be loaded later: some 5 MB. From then on
 * what is loaded is what was there at the start. The function returned ends it: a program that has done its work waits for no file.
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
      // As long as the file is there, Node's cache of compiled code serves it.
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

/** Lists the parts of the bundle this program was started from; none if it is executed from its sources. */
export function startedFiles(): readonly URL[] {
  return [...stamps.keys()].map((href) => new URL(href));
}

/** The bytes of a file of the program. */
export async function programBytes(file: URL): Promise<Uint8Array> {
  return kept.get(file.href) ?? (await readFile(file));
}

/**
 * A file that threads or processes start from; the function returned gives undefined where it is absent, and once another
 * build has been put in its place: parts of two builds do not work together.
 */
export function programFile(file: URL): () => URL | undefined {
  const first = stamps.has(file.href) ? stamps.get(file.href) : stampOf(file);
  return () => (first !== undefined && stampOf(file) === first ? file : undefined);
}
