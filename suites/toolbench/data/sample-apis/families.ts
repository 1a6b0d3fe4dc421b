/** The facts known to the sample's APIs. APIs of one family answer the same question and can replace each other. */
import type { Json } from "../../../../source/engine/types.ts";
import tables from "../../sample/tables.json" with { type: "json" };

/** Values by meaning (`city`, `amount`), independent of an API's parameter names. */
export type Given = ReadonlyMap<string, string>;

export type Family = {
  /** Required values, in order. */
  readonly needs: readonly string[];
  /** The values that must be numbers. */
  readonly numbers: readonly string[];
  /** Returns the answer; undefined for an unknown name. */
  answer(given: Given): { readonly [field: string]: Json } | undefined;
};

const rounded = (value: number): number => Math.round(value * 100) / 100;

function lookedUp(table: { readonly [key: string]: { readonly [field: string]: Json } }, ...needs: string[]): Family {
  const rows = new Map(Object.entries(table));
  return {
    needs,
    numbers: [],
    answer(given) {
      const row = rows.get(needs.map((need) => given.get(need)!.trim().toLowerCase()).join("|"));
      return row === undefined ? undefined : { ...Object.fromEntries(given), ...row };
    },
  };
}

function converted(units: { readonly [unit: string]: number }, way: "value" | "rate"): Family {
  const factors = new Map(Object.entries(units));
  const needs = way === "value" ? ["amount", "from", "to"] : ["from", "to"];
  return {
    needs,
    numbers: way === "value" ? ["amount"] : [],
    answer(given) {
      const from = factors.get(given.get("from")!.toLowerCase());
      const to = factors.get(given.get("to")!.toLowerCase());
      if (from === undefined || to === undefined) return undefined;
      if (way === "rate") return { ...Object.fromEntries(given), rate: from / to };
      return { ...Object.fromEntries(given), result: rounded((Number(given.get("amount")) * from) / to) };
    },
  };
}

export const families: ReadonlyMap<string, Family> = new Map<string, Family>([
  ["weather-now", lookedUp(tables["weather-now"], "city")],
  ["weather-tomorrow", lookedUp(tables["weather-tomorrow"], "city")],
  ["currency", converted(tables.rates, "value")],
  ["currency-rate", converted(tables.rates, "rate")],
  ["translation", lookedUp(tables.translation, "word", "language")],
  ["definition", lookedUp(tables.definition, "word")],
  ["capital", lookedUp(tables.capital, "country")],
  ["population", lookedUp(tables.population, "country")],
  ["director", lookedUp(tables.director, "film")],
  ["film-rating", lookedUp(tables["film-rating"], "film")],
  ["ingredients", lookedUp(tables.ingredients, "dish")],
  ["calories", lookedUp(tables.calories, "dish")],
  ["share-price", lookedUp(tables["share-price"], "symbol")],
  ["company", lookedUp(tables.company, "symbol")],
  ["last-match", lookedUp(tables["last-match"], "team")],
  ["stadium", lookedUp(tables.stadium, "team")],
  ["next-train", lookedUp(tables["next-train"], "from", "to")],
  ["train-fare", lookedUp(tables["train-fare"], "from", "to")],
  ["author", lookedUp(tables.author, "title")],
  ["publication-year", lookedUp(tables["publication-year"], "title")],
  ["national-day", lookedUp(tables["national-day"], "country")],
  ["shops-closed", lookedUp(tables["shops-closed"], "country")],
  ["length", converted(tables.metres, "value")],
  ["length-ratio", converted(tables.metres, "rate")],
]);
