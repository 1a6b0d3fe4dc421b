/** An object whose fields are stored elsewhere until they are accessed, such as a row on disk, returns all of them as `whole`. */

/** Returns an object that owns all its fields, so that it can be copied. */
export const wholeOf = <Of extends object>(of: Of): Of => (of as { readonly whole?: Of }).whole ?? of;

/**
 * Returns a copy of a task with other values. A spread alone would lose the fields of a task that are read from a large file, so such
 * a task gives them as `fields`.
 */
export const changedTask = <Own extends object>(
  task: Own,
  values: { readonly id?: string; readonly facets?: object },
): Own => ({
  ...((task as { readonly fields?: Own }).fields ?? task),
  ...values,
});
