/**
 * The lines of `codes/PERSON.jsonl`: a head with the format, then one line for each code, for each task that was examined as a
 * whole, and for each withdrawal of such a line. Lines are only appended, and unknown fields and types are ignored.
 */
import { z } from "zod";
import { valueAt } from "../../work/value-at.ts";
import { kindProblem } from "./kinds-cell.ts";

const codesFormat = "planwright-codes";
const codesVersion = 1;

/** Limits in characters. */
const longestPerson = 100;
const longestRemark = 2_000;
const longestQuote = 500;

const id = z
  .string()
  .min(1)
  .max(100)
  .describe("unique among all files: lines that revoke another line refer to this id");
const by = z.string().trim().min(1).max(longestPerson).describe("the person, or `model:NAME` for labels of a model");
const at = z.iso.datetime().describe("the time, in UTC");
const whole = z.int().min(0);
const text = z.string().min(1).max(1_000);
const kind = z
  .string()
  .refine((name) => kindProblem(name) === undefined, "the name of a kind: at most 60 characters without `|` and `:`")
  .describe("a kind of the codebook, or a new one");
const attempt = z.iso
  .datetime()
  .describe(
    "the time of the attempt's `started` event in the log: if the task is run again, the line no longer counts",
  );
const ofTask = { id, by, at, run: text.describe("id of the run"), task: text, attempt: attempt.optional() };

const place = z.looseObject({
  section: text.optional().describe("plan, steps, checks, raw or tree"),
  request: whole.optional().describe("number of the request, from 0"),
  step: whole.optional().describe("index among requests, results, notes and answers, from 0"),
  block: text.optional().describe("the block of the screen in which the tagged place begins"),
  end: text.optional().describe("the block in which the place ends, if it is another block"),
  quote: z.string().max(longestQuote).optional().describe("the tagged text"),
});

const headLine = z.looseObject({ format: z.literal(codesFormat), version: z.int().min(1) });
const codeLine = z.looseObject({
  type: z.literal("code"),
  ...ofTask,
  kind,
  place: place.optional().describe("absent for the task as a whole"),
  remark: z.string().max(longestRemark).optional(),
});
const labelledLine = z.looseObject({
  type: z.literal("labelled").describe("the whole attempt was reviewed, so kinds without a code are absent"),
  ...ofTask,
  sample: z
    .looseObject({ seed: z.int(), n: z.int().min(1), runs: z.array(text) })
    .optional()
    .describe("present if the task was drawn at random, as one of n tasks from these runs"),
});
const withdrawnLine = z.looseObject({
  type: z.literal("withdrawn"),
  by,
  at,
  id: id.describe("id of the withdrawn line"),
});

export type CodeLine = z.infer<typeof codeLine>;
export type LabelledLine = z.infer<typeof labelledLine>;
export type WithdrawnLine = z.infer<typeof withdrawnLine>;
export type CodesLine = CodeLine | LabelledLine | WithdrawnLine;

const schemas = { code: codeLine, labelled: labelledLine, withdrawn: withdrawnLine };

/** Returns the JSON schema (draft 7) of a line. */
export function codesSchema(): object {
  const lines = z.union([headLine, ...Object.values(schemas)]);
  const { $schema: _, ...schema } = z.toJSONSchema(lines, { target: "draft-7", io: "input" });
  return schema;
}

/** Returns a line of text for the file. Throws `ZodError` if it could not be read back. */
export function codeLineText(line: CodesLine): string {
  return `${JSON.stringify(schemas[line.type].parse(line))}\n`;
}

export const codesHead = (): string => `${JSON.stringify({ format: codesFormat, version: codesVersion })}\n`;

/** The valid lines of a file, and the numbers of the invalid lines. */
export type ReadCodes = { readonly lines: readonly CodesLine[]; readonly unreadable: readonly number[] };

/**
 * Reads the text of a file. Never throws. Ignores lines of other types, and an incomplete last line that is still being written.
 */
export function readCodes(content: string): ReadCodes {
  const lines: CodesLine[] = [];
  const unreadable: number[] = [];
  const texts = content.split("\n");
  for (const [index, line] of texts.entries()) {
    if (line.trim() === "") continue;
    const found = lineOf(line);
    if (found === "unreadable" && index < texts.length - 1) unreadable.push(index + 1);
    else if (found !== undefined && found !== "unreadable") lines.push(found);
  }
  return { lines, unreadable };
}

/** Returns the line; undefined for a head, or for a type of a newer program. */
function lineOf(text: string): CodesLine | "unreadable" | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "unreadable";
  }
  const type = valueAt(value, ["type"]);
  if (typeof type !== "string") return headLine.safeParse(value).success ? undefined : "unreadable";
  if (!Object.hasOwn(schemas, type)) return undefined;
  const { data } = schemas[type as keyof typeof schemas].safeParse(value);
  return data ?? "unreadable";
}
