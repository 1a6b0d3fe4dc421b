import type { LibraryApi } from "../../../../source/engine/clustering/toolkits/library.ts";

const groups: Readonly<Record<string, readonly string[]>> = {
  weather: [
    "Current weather for a city: temperature, wind and humidity",
    "Weather forecast for the next five days by city, with temperature and rain",
    "Historical weather and temperature of a city on a past day",
    "Weather warnings such as storms and heavy rain for a region",
    "Hourly wind and temperature forecast at a place",
  ],
  translation: [
    "Translate a text from one language into another language",
    "Detect the language a text is written in",
    "List the languages a text can be translated into",
    "Translate a whole document, keeping its layout, into the target language",
    "Transliterate text of one language into another script",
  ],
  currency: [
    "Exchange rate between two currencies today",
    "Convert an amount of money from one currency to another at the exchange rate",
    "Historical exchange rates of a currency",
    "List of all currencies with their symbols and exchange codes",
    "Exchange rate of a cryptocurrency in another currency",
  ],
  football: [
    "Football match results of a league on a day",
    "Players of a football team with goals scored",
    "Standings of a football league by season",
    "Next football matches of a team",
    "Live football scores with goals and cards of the match",
  ],
  recipes: [
    "Find cooking recipes by ingredients",
    "Nutrition facts of a recipe: calories, fat, protein",
    "Random cooking recipe with ingredients and steps",
    "Recipes for a diet such as vegan, with cooking time",
    "Shopping list of ingredients for several recipes",
  ],
  email: [
    "Check whether an email address exists and its domain accepts mail",
    "Detect disposable email addresses",
    "Send an email with a subject and a body to an address",
    "Find email addresses of a company by its domain",
    "Validate a list of email addresses at once",
  ],
};

/** Thirty APIs in six groups, round-robin; `type_name` is the group. */
export const sampleApis: readonly LibraryApi[] = Object.entries(groups)
  .flatMap(([group, texts]) => texts.map((text, index) => ({ group, text, index })))
  .sort((a, b) => a.index - b.index)
  .map(({ group, text, index }, id) => ({
    functionality: text,
    id,
    api_dest: { name: `${group}_${index}`, package_name: group, type_name: group, desc: text, package_desc: "" },
    api_doc: { method: "GET", url: `https://example.org/${id}`, required_parameters: [{ name: "q" }] },
    toolkit: -1,
    toolkit_fun: "",
  }));
