/**
 * What requests were sent without, as rows count it and as a run says it: a run must not pass for one at a temperature that
 * was never sent to its model.
 */
import { modelSettings, type LeftOut, settingNamed, type UnsentSetting, unsentSettings } from "../../run-settings.ts";
import type { Row, RunSpec } from "../../types.ts";

const without = "without:";
const sent = "sent:";

/** The name under which a row counts requests to a model without this. */
export const leftOutKind = (name: LeftOut, model: string): string => `${without}${name}:${model}`;

/** The name under which a row says that this setting, at its default, is not sent. */
export const unsetKind = (name: UnsentSetting): string => `unset:${name}`;

/** What a row gives reason to say. */
export function leftOutKinds(row: Row, spec: RunSpec | undefined): readonly string[] {
  return [...Object.keys(row.counts).filter((kind) => kind.startsWith(without)), ...sentUnset(row, spec)];
}

/** Settings that version 0.1.0 sent with a row's requests although the run's cell did not set them. */
function sentUnset({ calls, counts }: Row, spec: RunSpec | undefined): readonly string[] {
  if (calls === 0 || spec === undefined || !asksServer(spec)) return [];
  return unsentSettings(spec).flatMap((name) => (unsetKind(name) in counts ? [] : [`${sent}${name}`]));
}

function asksServer(spec: RunSpec): boolean {
  return modelSettings.some((role) => spec[role] !== undefined && !/^(none$|builtin\/)/.test(spec[role]));
}

/** A sentence for each of these. */
export function leftOutWarnings(kinds: ReadonlySet<string>, spec: RunSpec | undefined): readonly string[] {
  return [...kinds].map((kind) => {
    if (kind.startsWith(sent)) {
      const name = kind.slice(sent.length);
      return `${name} ${String(settingNamed(name)?.default)} was sent, as version 0.1.0 did where none was set`;
    }
    const [name, ...model] = kind.slice(without.length).split(":");
    return `${model.join(":")} ${sentence(name as LeftOut, spec)}`;
  });
}

function sentence(name: LeftOut, spec: RunSpec | undefined): string {
  switch (name) {
    case "seed":
      return `takes no seed: none was sent, not ${spec?.seed}`;
    case "stop":
      return "takes no stop: replies were cut at the stop strings here";
    case "max_tokens":
      return "takes no max_tokens: max_completion_tokens was sent";
    case "maxTokens":
      return `takes no maxTokens: its own limit held, not ${spec?.maxTokens}`;
    case "stream_options":
      return "takes no stream_options: tokens may be estimates";
    case "system":
      return "takes no system messages: the first message of the user began with them";
    case "format":
      return "takes no response_format: its replies were asked for in words alone";
    case "store":
      return "takes no store: whether it keeps replies is its own rule";
    case "include":
      return "takes no include: its thinking goes back without what it encrypts";
    default:
      return `takes no ${name}: its own default was used, not ${spec?.[name]}`;
  }
}
