/** Status codes of responses, like StableToolBench's server. */

/** Status codes by exact error text; any other text, even an error message, has code 0. */
const statuses = new Map([
  ["API not working error...", 6],
  ["Unauthorized error...", 7],
  ["Unsubscribed error...", 8],
  ["Too many requests error...", 9],
  ["Rate limit per minute error...", 10],
  ["Message error...", 11],
]);

/** Returns the status code of a response's `error` field. */
export const statusOf = (error: string): number => statuses.get(error) ?? 0;
