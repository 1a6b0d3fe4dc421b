/**
 * The models that a session can use: the user's endpoints, and built-in models, which read tasks and saved runs of this session.
 */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { linksMustStay, pathInside } from "../../files/inside.ts";
import type { LoadedSuites } from "./loaded-suites.ts";
import { readLog, readStart } from "../../log/file/log-reader.ts";
import type { EndpointLimits } from "../../models/limits/limiter.ts";
import { createModels, type Models } from "../../models/models.ts";
import type { SessionFolder } from "../../session/session-folder.ts";
import type { SettingsStore } from "../../settings/settings.ts";
import { nextIteration } from "../../work/event-loop.ts";
import type { Event, RunSpec } from "../../types.ts";

/** `limits` are the limiters of other models that use the same endpoints; absent if there are none. */
export function sessionModels(
  loadedSuites: LoadedSuites,
  settings: SettingsStore,
  folder: SessionFolder,
  limits?: EndpointLimits,
): Models {
  const eventsOf = async (run: string) => {
    const events: Event[] = [];
    readLog(join(folder.run(run), "events.jsonl"), (event) => events.push(event));
    return events;
  };
  const specs = new Map<string, RunSpec>();
  const specOf = (run: string) => {
    const path = join(folder.run(run), "events.jsonl");
    const spec = specs.get(run) ?? (existsSync(path) ? readStart(path)?.spec : undefined);
    if (spec !== undefined) specs.set(run, spec);
    return spec;
  };
  const loadedFor = loadedSuites.open.bind(loadedSuites);
  const taskFor = loadedSuites.task.bind(loadedSuites);
  const sources = { loadedFor, taskFor, eventsOf, specOf };
  return createModels({ settings: () => settings.read(), sources, ...(limits && { limits }) });
}

/**
 * Returns the models that help to group tools. `planwright cluster` and these models cache replies in the same folder, next to
 * the settings.
 */
export async function sessionClusterModels(models: Models, settings: SettingsStore, folder: SessionFolder) {
  // Loaded on demand, because suites are opened while the first frame is drawn.
  await nextIteration();
  const { clusterModels } = await import("../../clustering/toolkits/cached-models.ts");
  const beside = settings.path === "" ? folder.path : dirname(settings.path);
  return clusterModels({
    models,
    settings: () => settings.read(),
    cache: join(beside, "clustering"),
    placeOf: (path) => modelIn(folder, path),
  });
}

/** Resolves a model's file. A document may name only files in its session's folder; this includes models. */
function modelIn(folder: SessionFolder, path: string): string {
  const place = pathInside(path, new Map([[folder.path, "the session's folder"]]));
  if (existsSync(place) && statSync(place).isDirectory()) linksMustStay(place);
  return place;
}
