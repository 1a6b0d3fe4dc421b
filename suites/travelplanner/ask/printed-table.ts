/** Tables as pandas prints them: what the published tools show their agents. */

export type PrintedColumn = { readonly title: string; readonly kind: "text" | "int" | "float" };

/**
 * A table as pandas prints it without its index: right-aligned, one space between columns, numeric headers with one space in
 * front, floats of a column with as many decimals as the longest needs (1 to 6). With `index`, row numbers stand in front.
 */
export function printedTable(
  columns: readonly PrintedColumn[],
  rows: readonly (readonly (string | number)[])[],
  index?: readonly number[],
): string {
  const printed = columns.map(({ title, kind }, column) => {
    const cells = rows.map((row) => row[column]!);
    const header = kind === "text" || index !== undefined ? title : ` ${title}`;
    return rightAligned([header, ...(kind === "float" ? decimals(cells.map(Number)) : cells.map(oneLine))]);
  });
  if (index !== undefined) {
    const numbers = ["", ...index.map(String)];
    const width = Math.max(...numbers.map(({ length }) => length));
    printed.unshift(numbers.map((number) => number.padEnd(width)));
  }
  const gap = index === undefined ? " " : "  ";
  return Array.from({ length: rows.length + 1 }, (_, line) => printed.map((column) => column[line]!).join(gap)).join(
    "\n",
  );
}

function decimals(values: readonly number[]): readonly string[] {
  const texts = values.map((value) => value.toFixed(6));
  let zeros = 5;
  for (const text of texts) while (zeros > 0 && !text.endsWith("0".repeat(zeros))) zeros -= 1;
  return texts.map((text) => text.slice(0, text.length - zeros));
}

function oneLine(cell: string | number): string {
  return String(cell).replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
}

function rightAligned(cells: readonly string[]): readonly string[] {
  const widths = cells.map((cell) => [...cell].length);
  const width = Math.max(...widths);
  return cells.map((cell, index) => " ".repeat(width - widths[index]!) + cell);
}
