/** Sizes in cells of the terminal. */

/** The fewest columns of a window that shows a list and its detail beside each other. */
export const wideFrom = 150;
/** The fewest columns of a window in which a list of compared tasks has the replies beside it. */
export const comparedFrom = 120;
/** The smallest window whose panes have borders; in others they have a title alone. */
export const borderedFrom = { columns: 100, rows: 30 } as const;

/** The space around the content of a pane in columns and rows, and the columns between two panes. */
export type Edges = { readonly columns: number; readonly rows: number; readonly between: number };
/** Content begins with a blank of its own, so a border needs no padding. */
export const bordered: Edges = { columns: 2, rows: 2, between: 0 };
export const titled: Edges = { columns: 0, rows: 1, between: 3 };

/** The longest line of prose that is easily read. */
export const proseColumns = 80;
