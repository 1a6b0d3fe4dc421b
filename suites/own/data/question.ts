/** A question of the user's, as it stands in a file. */
import type { Task } from "../../../source/engine/types.ts";

export type Question = { readonly question: string };

/** What is right, as text; JSON where the file has a value that is no text. */
export type QuestionTask = Task<Question, string>;

/** What a file holds: its questions, and the other columns, which are facets. */
export type QuestionFile = { readonly tasks: readonly QuestionTask[]; readonly facets: readonly string[] };
