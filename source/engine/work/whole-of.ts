/** An object whose fields are stored elsewhere until they are accessed, such as a row on disk, returns all of them as `whole`. */

/** Returns an object that owns all its fields, so that it can be copied. */
export const wholeOf = <Of extends object>(of: Of): Of => (of as { readonly whole?: Of }).whole ?? of;
