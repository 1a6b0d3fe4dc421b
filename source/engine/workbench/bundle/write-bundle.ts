/** Writes a notebook as one archive that another person can open: its document, packed logs, own files, and a report. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createGzip } from "node:zlib";
import { Readable } from "node:stream";
import { createTarPacker, type TarHeader } from "modern-tar";
import { fileName } from "../../figures/file-name.ts";
import { replaceFileAsItComes } from "../../files/replace-file.ts";
import { packedBytes, packedPath } from "../../log/file/packed-log.ts";
import { editCell, readSession, writeSession } from "../../session/document/session-document.ts";
import { startOf } from "../../session/older-code.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import { formats } from "../../settings/format.ts";
import { packageVersion } from "../../settings/package-folder.ts";
import type { Settings } from "../../settings/settings.ts";
import type { RunSpec } from "../../types.ts";
import { writeReport } from "../report/report.ts";
import type { SessionWorkbench } from "../session-workbench.ts";
import { bundleFile, needsOf } from "./bundle-contents.ts";

type Bundled = {
  readonly workbench: SessionWorkbench;
  readonly folder: SessionFolder;
  readonly settings: Settings;
  readonly signal?: AbortSignal;
};

/** A file of the archive, by its path in the notebook's folder. */
type Entry = { readonly name: string; bytes(): Buffer };

const onDisk = (name: string, path: string): Entry => ({ name, bytes: () => readFileSync(path) });
const ofText = (name: string, text: string): Entry => ({ name, bytes: () => Buffer.from(text, "utf8") });

/** Files of a run on which its results depend; all others are made from these. */
const ofRun = ["overrides.json", "kept.json"];

/**
 * Writes the archive (gzip of tar) and resolves to the names of its files. Hidden files, links, exports, the lock and all files
 * that a run can make again are omitted; the document names the data of each cell.
 */
export async function writeBundle(path: string, bundled: Bundled): Promise<readonly string[]> {
  const { workbench, folder, settings, signal } = bundled;
  const scratch = mkdtempSync(join(tmpdir(), "planwright-bundle-"));
  try {
    const runs = folder.runs().filter((run) => !run.startsWith("."));
    const begun = runs.flatMap((run) => startOf(join(folder.run(run), "events.jsonl"))?.spec ?? []);
    const specs = [...begun, ...plannedSpecs(workbench)];
    const contents = {
      format: formats.bundle,
      planwright: packageVersion(),
      name: folder.name,
      ...needsOf(specs, { suites: workbench.suites, settings }),
    };
    const report = join(scratch, "report.html");
    await writeReport(report, { workbench, tasks: "all", ...(signal && { signal }) });
    const entries: readonly Entry[] = [
      ofText(bundleFile, `${JSON.stringify(contents, null, 2)}\n`),
      ofText("session.md", documentOf(bundled)),
      onDisk("report.html", report),
      ...ownFiles(folder.path),
      ...runs.flatMap((run) => runFiles(folder.run(run), `runs/${run}`)),
    ];
    await replaceFileAsItComes(path, archiveOf(entries, fileName(folder.name), signal));
    return entries.map(({ name }) => name);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function plannedSpecs(workbench: SessionWorkbench): readonly RunSpec[] {
  return workbench.cells().flatMap(({ id, kind }) => {
    const state = kind === "run" ? workbench.state(id) : undefined;
    return state?.kind === "run" ? state.runs.map(({ spec }) => spec) : [];
  });
}

/**
 * Returns the saved document; a cell that used the data installed on this machine names them, because another machine may have
 * other data.
 */
function documentOf({ workbench, folder }: Bundled): string {
  let document = readSession(folder.read());
  const cells = workbench.cells();
  for (const [index, segment] of document.segments.entries()) {
    const cell = cells[index];
    const state = segment.kind === "run" && cell?.source === segment.source ? workbench.state(cell.id) : undefined;
    const filled = state?.kind === "run" ? (state.filledIn ?? []) : [];
    const lines = filled
      .filter(({ from, value }) => (from === "installed" && value !== "own") || from === "lacking")
      .map(({ field, value }) => `${field}: ${JSON.stringify(value)}\n`);
    if (lines.length === 0) continue;
    const source = segment.source === "" || segment.source.endsWith("\n") ? segment.source : `${segment.source}\n`;
    document = editCell(document, segment.id, source + lines.join(""));
  }
  return writeSession(document);
}

/** Entries of the notebook's folder that are not its user's files. */
const notOwn: ReadonlySet<string> = new Set([
  "runs",
  "exports",
  "session.md",
  "session.lock",
  "report.html",
  bundleFile,
]);

function ownFiles(root: string, folder = root): readonly Entry[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry): readonly Entry[] => {
      const path = join(folder, entry.name);
      if (entry.name.startsWith(".") || entry.name.endsWith(".new") || (folder === root && notOwn.has(entry.name)))
        return [];
      if (entry.isDirectory()) return entry.name === "node_modules" ? [] : ownFiles(root, path);
      return entry.isFile() ? [onDisk(relative(root, path), path)] : [];
    });
}

/** Packs the log while copying it, so that the notebook itself stays unchanged. */
function runFiles(run: string, name: string): readonly Entry[] {
  const log = join(run, "events.jsonl");
  const here = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (!here(log) && !here(packedPath(log))) return [];
  const packed = () => (here(log) ? packedBytes(log) : readFileSync(packedPath(log)));
  const beside = ofRun.filter((file) => here(join(run, file)));
  return [
    { name: `${name}/events.jsonl.gz`, bytes: packed },
    ...beside.map((file) => onDisk(`${name}/${file}`, join(run, file))),
  ];
}

async function* archiveOf(entries: readonly Entry[], root: string, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const write = async () => {
    for (const entry of entries) {
      signal?.throwIfAborted();
      const bytes = entry.bytes();
      const header: TarHeader = { name: `${root}/${entry.name}`, size: bytes.length, type: "file", mode: 0o644 };
      const writer = controller.add(header).getWriter();
      await writer.write(bytes);
      await writer.close();
    }
    controller.finalize();
  };
  // A failed read ends the archive with its reason.
  const written = write().catch((error: unknown) => controller.error(error));
  yield* Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0]).pipe(
    createGzip(),
  ) as AsyncIterable<Uint8Array>;
  await written;
}
