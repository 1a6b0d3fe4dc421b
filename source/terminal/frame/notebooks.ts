/** Other notebooks than the one on the screen, as far as the screen offers them. */

/** Where the program goes on when a notebook is left for another one. */
export type OtherNotebook = {
  /** Of its folder, or a name in `sessions/`. */
  readonly path: string;
  readonly isNew: boolean;
};

export type Notebooks = {
  /** Those that were opened last, then those of this folder and those that come with Planwright; `about` says which. */
  known(): readonly { readonly path: string; readonly about: string }[];
  /** Why this notebook cannot be opened, or made; undefined where it can. */
  problem(notebook: OtherNotebook): string | undefined;
};
