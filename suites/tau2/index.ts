/**
 * tau2-bench: customer service in which agent and user both act (version 0.2.0). Conversations that another program played are
 * scored; README.md beside this file says what is compared.
 */
import type { Scorer } from "../../source/engine/prediction.ts";
import { predictionSplits } from "./data/splits.ts";

export const tau2: Scorer = {
  name: "tau2",
  title: "tau2-bench",
  predictions: {
    splits: predictionSplits,
    sumsOnly: true,
    score: async (request) => (await import("./score/predictions.ts")).scorePredictions(request),
  },
};
