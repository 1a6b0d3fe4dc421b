/**
 * Derives from the rows of `run-settings-rows.ts`: the types of a run's settings, which settings are sent or may be refused, and
 * the spec from which an id is computed.
 */
import { systemOption } from "./option.ts";
import { hashedByName, type RequestFields, runSettings, type Setting, type SettingValue } from "./run-settings-rows.ts";

type Row = (typeof runSettings)[number];

/** The user's tasks in a benchmark's layout, by the name under which they were added. */
export type OwnData = `own/${string}`;

/** Texts of prompts by their names. */
export type OwnPrompts = Readonly<Record<string, string>>;

/** Parts of a task that a run may vary and that should not matter. */
export const variedKinds = ["tools", "names", "options", "questions"] as const;
export type VariedKind = (typeof variedKinds)[number];

/**
 * The part of a task that a run varies; empty if it varies no part. A number is that of a seeded variant, from 2 on (the first is
 * the benchmark's own); `questions` maps tasks to paraphrases.
 */
export type Varied = { readonly [Kind in Exclude<VariedKind, "questions">]?: number } & {
  readonly questions?: OwnPrompts;
};

/** The type of one value of a row's setting. */
type Held<R extends Row> = R extends { readonly names: readonly (infer Name)[] }
  ? Name | (R extends { readonly name: "data" } ? OwnData : never)
  : R extends { readonly kind: "whole" | "number" }
    ? number
    : R extends { readonly kind: "texts" }
      ? readonly string[]
      : R extends { readonly kind: "prompts" }
        ? OwnPrompts
        : R extends { readonly kind: "vary" }
          ? Varied
          : R extends { readonly kind: "fields" }
            ? RequestFields
            : string;

/** Rows with one value per run, in the `RunSpec`. */
type ValueRow = Exclude<
  Row,
  | { readonly kind: "facets" | "limits" | "fork" }
  | { readonly besideSpec: true }
  | { readonly unhashed: true }
  | { readonly pools: string }
>;
type GivenRow = Exclude<Extract<ValueRow, { readonly kind: "name" } | { readonly default: SettingValue }>, QuietRow>;
type QuietRow = Extract<Row, { readonly quiet: true }>;
type RequestRow = Extract<Row, { readonly sentAs: string }>;

/** The settings of a run with one value each; a setting is always present if it has a default that is not quiet. */
export type SettingValues = { readonly [R in GivenRow as R["name"]]: Held<R> } & {
  readonly [R in Exclude<ValueRow, GivenRow> as R["name"]]?: Held<R>;
};

/** The settings that are sent with a request. */
export type RequestSettings = { readonly [R in RequestRow as R["name"]]?: Held<R> };

/** Keys of a role's map besides `model`, in the order in which they are written. */
export const roleKeys = ["temperature", "topP", "maxTokens", "stop", "seed", "request"] as const;

/** Settings of one role's requests. */
export type RoleSettings = Pick<RequestSettings, Exclude<(typeof roleKeys)[number], "request">> & {
  readonly request?: RequestFields;
};

/** Roles that may have settings of their own. The settings of the model are those of the run. */
export type SettledRole = Extract<Row, { readonly ofRole: true }>["name"];

/** Settings that a server may refuse. */
export type RefusableSetting = Extract<Row, { readonly refusable: true }>["name"];

/** A workaround for a server's peculiarity; rows count it, and the run reports it. */
export type Adjustment =
  | "stop-applied-here"
  | "calls-read-from-text"
  | "calls-read-from-function-call"
  | "call-arguments-were-an-object"
  | "tools-in-prompt"
  | "thinking-handed-back"
  | "thinking-not-taken-back"
  /** The server rejects arguments that are not a JSON object; they were sent back as an empty object. */
  | "arguments-not-sent-back"
  | "asked-by-responses"
  | "asked-by-messages"
  /** The protocol requires a limit of tokens, and the cell does not set it. */
  | "max-tokens-by-default";

/**
 * Parts of a request that were omitted or replaced for a server: a setting; `max_tokens` (sent as `max_completion_tokens`); the
 * request for token counts; system messages (put before the first user message); for the Responses protocol, the requests to
 * store nothing and to return reusable thinking; the form of replies; the limits in that form.
 */
export type LeftOut =
  | RefusableSetting
  | ("max_tokens" | "stream_options" | "system" | "store" | "include" | "format" | "limits");

/** Settings whose default is not sent. */
export type UnsentSetting = Extract<Row, { readonly unsentDefault: true }>["name"];

type Named<R extends { readonly name: string }> = Setting & { readonly name: R["name"] };
type RequestSetting = Named<RequestRow> & { readonly sentAs: string };

/** Settings with one value per run, in the `RunSpec`. */
export const valueSettings: readonly Named<ValueRow>[] = runSettings.filter(
  (row): row is ValueRow =>
    row.kind !== "facets" &&
    row.kind !== "limits" &&
    row.kind !== "fork" &&
    !("besideSpec" in row) &&
    !("unhashed" in row) &&
    !("pools" in row),
);

/** Settings that are sent with every request. */
export const requestSettings: readonly RequestSetting[] = runSettings.filter(
  (row): row is RequestRow => "sentAs" in row,
);

/** Settings that are omitted from requests to servers that refuse them. */
export const refusableSettings = requestSettings.filter(
  (row): row is typeof row & { readonly name: RefusableSetting } => row.refusable === true,
);

/** Returns the setting that is sent as this field of a request; undefined if there is no such setting. */
export const settingSentAs = (field: string) => requestSettings.find(({ sentAs }) => sentAs === field);

/** Settings hashed as fields of `request`, as notebooks wrote them before they were settings. */
export const hashedInRequest = requestSettings.filter(
  ({ name }) => !(hashedByName as readonly string[]).includes(name),
);

/** Returns the form of the spec from which ids are computed. */
export function hashedSpec<Spec extends Pick<SettingValues, RequestRow["name"] | "request">>(spec: Spec): Spec {
  const moved = hashedInRequest.filter(({ name }) => spec[name] !== undefined);
  if (moved.length === 0) return spec;
  const names = new Set<string>(moved.map(({ name }) => name));
  const fields = Object.fromEntries(moved.map(({ name, sentAs }) => [sentAs, spec[name]]));
  const kept = Object.fromEntries(Object.entries(spec).filter(([name]) => !names.has(name))) as Spec;
  return { ...kept, request: { ...spec.request, ...fields } };
}

const unsentDefaults: readonly RequestSetting[] = requestSettings.filter((row) => "unsentDefault" in row);

/** Returns the settings that are not sent, because the run's cell does not set them and they have their default. */
export function unsentSettings(spec: SettingValues & { readonly set?: readonly string[] }): readonly UnsentSetting[] {
  return unsentDefaults.flatMap(({ name, default: standard }) =>
    spec[name] === standard && spec.set?.includes(name) !== true ? [name as UnsentSetting] : [],
  );
}

/** Optional parts of a request, by the protocol's names. */
export const refusableFields: ReadonlyMap<string, LeftOut> = new Map<string, LeftOut>([
  ...refusableSettings.map(({ sentAs, name }) => [sentAs, name] as const),
  ["max_tokens", "max_tokens"],
  ["max_completion_tokens", "maxTokens"],
  ["max_output_tokens", "maxTokens"],
  ["stream_options", "stream_options"],
  ["system", "system"],
  ["response_format", "format"],
  ["text.format", "format"],
  ["output_config.format", "format"],
  ["stop_sequences", "stop"],
  ["store", "store"],
  ["include", "include"],
]);

/** Names of the settings that name a model: the roles of a run. */
export const modelSettings = valueSettings.flatMap(({ name, kind }) =>
  kind === "model" ? [name] : [],
) as readonly Extract<Row, { readonly kind: "model" }>["name"][];

/** Returns the models of all roles of the run, each as often as it is named. */
export const namedModels = (
  spec: Partial<Pick<SettingValues, (typeof modelSettings)[number]>> & { readonly judges?: readonly string[] },
): readonly string[] => [...modelSettings.flatMap((role) => spec[role] ?? []), ...(spec.judges ?? [])];

const byName: ReadonlyMap<string, Setting> = new Map(runSettings.map((row) => [row.name, row]));

/** Returns the row of this name; undefined for options and unknown names. */
export const settingNamed = (name: string): Setting | undefined => byName.get(name);

/** Returns the position of a field in a run cell; options follow the strategy, the system message precedes other prompts. */
export function settingRank(name: string): number {
  if (name === systemOption.name) return settingRank("prompts") - 0.5;
  const index = runSettings.findIndex((row) => row.name === name);
  return index < 0 ? settingRank("strategy") + 0.5 : index;
}

export const isFields = (value: SettingValue): value is RequestFields =>
  typeof value === "object" && !Array.isArray(value);

/** Returns whether two values of a setting are equal. */
export const sameValue = (one: SettingValue | undefined, other: SettingValue | undefined): boolean =>
  one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));
