/** A call of an API chain: what it takes, what it gives, and where its arguments come from. */
import type { ParameterType } from "../catalogue.ts";
import type { Phrase } from "./chain-file.ts";

/** Where an argument comes from; `optional` ones are never bound. */
export type Source =
  | { readonly from: "slot" | "profile" | "takes"; readonly name: string }
  | { readonly from: "date" | "optional" };
export type CallParameter = {
  readonly name: string;
  readonly type: ParameterType;
  readonly source: Source;
  /** How often a parameter that takes many values is there: `cost` becomes `cost1`, `cost2` ... */
  readonly repeat: number;
};
export type Maker = { readonly make: "code"; readonly prefix: string } | { readonly make: "amount" | "name" | "echo" };
export type ResultField = { readonly name: string; readonly gives: string | undefined; readonly maker: Maker };
export type Call = {
  readonly tool: string;
  readonly about: string;
  readonly parameters: readonly CallParameter[];
  readonly results: readonly ResultField[];
  readonly clause: Phrase;
};
