/** One measured number. */
export type Measurement = { readonly name: string; readonly value: number; readonly unit: string };
