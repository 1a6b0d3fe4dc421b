/** Annotations of recorded tasks by people, models or rules, as other programs store them. */
export type RecordedAnnotation = {
  /** The annotator's name; `model:NAME` for a model. */
  readonly by: string;
  /** The judged property, as a kind of the codebook. */
  readonly kind: string;
  readonly remark: string;
  /** Number of the annotated request; absent for the whole task. */
  readonly request?: number;
  /** Milliseconds since 1970. */
  readonly at: number;
};

const longestName = 60;
const longestRemark = 2_000;

/**
 * Returns an annotation whose texts fit the files of codes; undefined without a kind. `said` are its parts without empty parts.
 */
export function recordedAnnotation(
  { by, kind, ...place }: Omit<RecordedAnnotation, "remark">,
  said: readonly string[],
): RecordedAnnotation | undefined {
  const fitting = (text: string) =>
    text
      .replaceAll(/[|:\p{Cc}\p{Cf}]+/gu, " ")
      .trim()
      .replace(/^#+\s*/, "")
      .slice(0, longestName)
      .trim();
  const [name, who] = [
    fitting(kind),
    by.startsWith("model:") ? `model:${fitting(by.slice("model:".length))}` : fitting(by),
  ];
  if (name === "" || name === "__proto__" || who === "" || who === "model:") return undefined;
  const remark = said
    .filter((part) => part !== "")
    .join(", ")
    .slice(0, longestRemark);
  return { by: who, kind: name, remark, ...place };
}

/**
 * Returns the index, among requests, results, notes and answers, of the request with this number; undefined if it does not exist.
 */
export function stepOfRequest(
  events: readonly { readonly type: string; readonly request?: number }[],
  request: number,
): number | undefined {
  let step = 0;
  for (const event of events) {
    if (event.type === "prompt" && event.request === request) return step;
    if (["prompt", "result", "note", "answer"].includes(event.type)) step += 1;
  }
  return undefined;
}
