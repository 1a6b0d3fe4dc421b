/** Sizes in cells of the terminal. */

/** Minimum columns of a window that shows a list and its detail side by side. */
export const wideFrom = 150;
/** Minimum number of columns of a window that shows the replies beside a list of compared tasks. */
export const comparedFrom = 120;
/** The smallest window whose panes have borders; in smaller windows they have only a title. */
export const borderedFrom = { columns: 100, rows: 30 } as const;

/** The space around the content of a pane in columns and rows, and the columns between two panes. */
export type Edges = { readonly columns: number; readonly rows: number; readonly between: number };
/** Edges with borders. Content begins with its own blank, so a border needs no padding. */
export const bordered: Edges = { columns: 2, rows: 2, between: 0 };
export const titled: Edges = { columns: 0, rows: 1, between: 3 };

/** The longest line of prose that is easily read. */
export const proseColumns = 80;
