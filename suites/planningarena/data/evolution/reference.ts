/** A reference dialogue for an answer key that came without one: calls as the key binds them, results that give what is passed on. */
import { randomFrom } from "../../../../source/engine/statistics/random.ts";
import type { Json } from "../../../../source/engine/types.ts";
import type { Offer } from "../catalogue.ts";
import { imitate } from "../../ask/imitation.ts";
import type { Gold, Subtask } from "../records.ts";
import { writtenCall } from "../../ask/written-call.ts";

/** Records without heading. */
export function referenceFor(gold: Gold, query: string, offer: Offer): readonly Json[] {
  return gold.subtasks.map((subtask, index) => {
    const { description, action, results } = stepFor(subtask, gold, query, offer);
    const detail = { StepNumber: index + 1, Description: description, Action: action, Results: results };
    const thought = `${gold.subtasks.length} steps do what is asked.`;
    return { GlobalThought: thought, OrderSteps: { TotalSteps: gold.subtasks.length, StepDetail: detail } };
  });
}

function stepFor(subtask: Subtask, gold: Gold, query: string, offer: Offer) {
  if (subtask.tool === undefined) {
    const text = subtask.text ?? subtask.id;
    return {
      description: text.slice(0, 100),
      action: { Tap: text },
      results: { Status: "Success", Response: { Screen: "Done." } },
    };
  }
  const args = Object.fromEntries((subtask.args ?? []).map(({ name, value }) => [name, value]));
  const made = imitate(offer.apis.get(subtask.tool)?.response, args, randomFrom(`${query} ${subtask.id}`));
  const passed = Object.fromEntries(passedOn(subtask, gold).map((value, index) => [`passed${index + 1}`, value]));
  const results = writtenCall(subtask.tool, { ...(made as { readonly [name: string]: Json }), ...passed });
  return { description: `${subtask.id}: ${subtask.tool}`, action: writtenCall(subtask.tool, args), results };
}

/** Values later subtasks take that name this one as a source and no earlier one. */
function passedOn(subtask: Subtask, gold: Gold): Json[] {
  const next = gold.edges.filter(({ from }) => from === subtask.id).map(({ to }) => to);
  return gold.subtasks
    .filter(({ id }) => next.includes(id))
    .flatMap(({ id, args = [] }) => {
      const sources = gold.edges.filter(({ to }) => to === id).map(({ from }) => from);
      const taken = args.filter(({ check }) => check === "TD");
      return taken.filter((_, index) => sources[index % sources.length] === subtask.id).map(({ value }) => value);
    });
}
