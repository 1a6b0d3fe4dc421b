/** What a workbench is opened with. */
import type { Analysis } from "../analysis.ts";
import type { LoadedSuites } from "./loaded-suites.ts";
import type { Models } from "../models/models.ts";
import type { SessionFolder } from "../session/session-folder.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { Clock } from "../work/clock.ts";
import type { Suite } from "../suite.ts";

export type Opening = {
  readonly folder: SessionFolder;
  readonly suites: readonly Suite[];
  readonly analyses: readonly Analysis[];
  readonly settings: SettingsStore;
  /** Text of a session that does not exist yet. */
  readonly template?: string;
  /** True where a person edits: changes not saved are kept beside the document until they are saved or thrown away. */
  readonly drafts?: boolean;
  readonly clock?: Clock;
  readonly models?: (loadedSuites: LoadedSuites) => Models;
};
