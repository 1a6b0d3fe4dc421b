import { type Markup, markup } from "../../figures/markup.ts";
import {
  type Emphasised,
  emphasised,
  type MarkdownBlock,
  markdownBlocks,
  type MarkdownTable,
} from "../../text/markdown.ts";
import { sortingHead } from "./figure-html.ts";

/** Renders Markdown of a note or a model as HTML. Links and HTML in the Markdown stay text. */
export function noteHtml(source: string): Markup {
  const parts: Markup[] = [];
  let items: Markup[] = [];
  const flush = () => {
    const list = markup`<ul>
      ${items}
    </ul>`;
    if (items.length > 0) parts.push(list);
    items = [];
  };
  for (const block of markdownBlocks(source)) {
    if (block.kind === "item") {
      // Numbers are printed as written.
      items.push(markup`<li>${block.sign === "" ? "" : `${block.sign} `}${block.parts.map(partHtml)}</li>`);
      continue;
    }
    flush();
    parts.push(blockHtml(block));
  }
  flush();
  return markup`${parts}`;
}

function blockHtml(block: Exclude<MarkdownBlock, { kind: "item" }>): Markup {
  switch (block.kind) {
    case "blank":
      return markup``;
    case "rule":
      return markup`<hr />`;
    case "heading":
      if (block.level === 1) return markup`<h1>${block.text}</h1>`;
      return block.level === 2 ? markup`<h2>${block.text}</h2>` : markup`<h3>${block.text}</h3>`;
    case "quote":
      return markup`<blockquote>${block.text}</blockquote>`;
    case "table":
      return tableHtml(block.table);
    case "code":
      return markup`<pre>${block.lines.join("\n")}</pre>`;
    case "paragraph":
      return markup`<p>${block.parts.map(partHtml)}</p>`;
  }
}

function tableHtml({ head, rows, right }: MarkdownTable): Markup {
  const cell = (text: string, column: number) =>
    markup`<td class="${right.has(column) ? "right" : "left"}">${emphasised(text).map(partHtml)}</td>`;
  return markup`<div class="wide"><table>
    <thead>
      <tr>
        ${head.map((text, column) => sortingHead(markup`${emphasised(text).map(partHtml)}`, right.has(column) ? "right" : "left"))}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => markup`<tr>${row.map(cell)}</tr>`)}
    </tbody>
  </table></div>`;
}

function partHtml({ text, mark }: Emphasised): Markup {
  switch (mark) {
    case "strong":
      return markup`<strong>${text}</strong>`;
    case "emphasis":
      return markup`<em>${text}</em>`;
    case "code":
      return markup`<code>${text}</code>`;
    default:
      return markup`${text}`;
  }
}
