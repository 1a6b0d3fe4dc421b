/** A line of PlanningArena's prediction files: one task with an empty dialogue. */
const task = {
  id: 1,
  operationalScenario: "APP",
  scenario: "1_travel",
  relation: "SAPP",
  structure: null,
  level: "easy",
  userId: null,
  query: "Book a room.",
};
export const emptyDialogue = { task, gold: { subtasks: [], edges: [] }, offeredSet: "apps", dialogue: [] };
