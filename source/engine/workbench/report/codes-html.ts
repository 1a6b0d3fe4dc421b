/** The codes of a task in a report. */
import { type Markup, markup } from "../../figures/markup.ts";
import { counted } from "../../text/counted.ts";
import type { Code } from "../../analysis.ts";

/** Characters of a place's text that suffice to recognize it. */
const longest = 140;

export function codesHtml(codes: readonly Code[]): Markup | undefined {
  if (codes.length === 0) return undefined;
  const items = codes.map(({ kind, by, remark, place }) => {
    const quote = place?.quote === undefined ? undefined : markup` <code>${place.quote.slice(0, longest)}</code>`;
    return markup`<li>${kind}${quote} <span class="quiet">${remark === undefined ? by : `${by}: ${remark}`}</span></li>`;
  });
  return markup`<h4>${counted(codes.length, "code")}</h4>
    <ul>
      ${items}
    </ul>`;
}
