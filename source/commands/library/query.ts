/** `planwright query 'SELECT ...'`: queries the index of a folder with SQL. */
import { printable } from "../../engine/text/printable.ts";
import { type QueryResult, queryIndex, usualLimits, valueText } from "../../engine/workbench/library/query.ts";
import { ArgumentProblem, type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { printedJson } from "../shell/output.ts";
import { tableText } from "../shell/table-text.ts";
import { oneFolder } from "./list.ts";

const flags: Flags = { dir: "folder", json: "nothing" };

export const queryCommand: Command = {
  name: "query",
  summary: "query the index of a folder of notebooks with SQL",
  usage: `planwright query 'SELECT ...' [--dir DIR] [--json]

Queries the runs that \`planwright index DIR\` has indexed. The command needs the package \`@duckdb/node-api\`. The table \`rows\`
has a row per task: \`notebook\`, \`run\`, the settings (\`suite\`, \`model\`, \`temperature\`, \`option.prompting\` ...),
\`task\`, \`facet.*\`, \`verdict\`, \`cause\`, \`score\`, \`metric.*\`, \`errors\`, tokens, cost and seconds. \`DESCRIBE rows\`
lists its columns; a name with a dot is written in double quotes.

  planwright query 'SELECT model, suite, avg(score) AS score, count(*) AS tasks FROM rows GROUP BY ALL ORDER BY ALL'

Only one SELECT is accepted. It reads only the index, runs for at most ${usualLimits.seconds} s and returns at most ${usualLimits.rows} rows.
--dir   the folder that was indexed (default: the current folder)
--json  a list of objects`,
  takes: ["text"],
  flags,
  async run(args, context) {
    const { positionals, text, flag } = readArguments(args, flags);
    const [sql, ...more] = positionals;
    if (sql === undefined || more.length > 0)
      throw new ArgumentProblem(`Expected one SELECT in quotes, got ${positionals.length} arguments`);
    const dir = text("dir");
    const result = await queryIndex(oneFolder(dir === undefined ? [] : [dir]), sql, { signal: context.signal });
    context.stdout(flag("json") ? printedJson(objects(result), 2) : resultText(result));
    if (result.isCut) context.stderr(`Only the first ${usualLimits.rows} rows are shown; add a LIMIT or a GROUP BY\n`);
    return 0;
  },
};

const objects = ({ columns, rows }: QueryResult): readonly object[] =>
  rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]!])));

function resultText({ columns, rows }: QueryResult): string {
  const isNumber = (column: number) => rows.every((row) => row[column] === null || typeof row[column] === "number");
  const lines = [columns.map(printable), ...rows.map((row) => row.map(valueText))];
  return `${tableText(lines, isNumber)}${rows.length === 0 ? "no rows\n" : ""}`;
}
