/** The texts of AppBench's prompts, in our own wording, with every instruction of the benchmark's. */
import type { PromptTemplate } from "../../../source/engine/protocol.ts";
import { promptPair } from "../../../source/engine/settings/prompt-template.ts";

/** Line between the chain of thought and the answer. */
export const marker = "Final answer:";

export const selecting = promptPair("apps", {
  role: "model",
  protocol: "stages",
  when: { prompting: ["hierarchical"] },
  system: `A person will tell you what they want done. Decide which of the apps below are needed for it.

Choose at least one app, and only apps from this list. Be concise.

Apps:

{{apps}}

Answer with nothing but a list of app names in this form:
[app1, app2, ...]{{reasoning}}`,
  user: "{{instruction}}",
});

export const planning = promptPair("plan", {
  role: "model",
  protocol: "stages",
  system: `You carry out requests by calling the APIs of apps. A person will tell you what they want done; write down the calls that do it.

Write one line for each call, in this form, and nothing else:
app: [returned_name_1, returned_name_2, ... = app_api(#argument_1=value_1, #argument_2=value_2, ...)]

Rules:
- Join the names of app and API with an underscore, as in app_api. Keep names and order of arguments and of returned names exactly as the description of the API has them.
- Give every required argument. Give an optional argument only if the person said what it should be. Never fill in default values.
- Put a value that comes from the person between single quotes. When a value is what another call returns, write the returned name instead, without quotes.
- Today is "{{today}}". Work out every date from it and write it as the description asks.
- Order the lines so that a call that returns a name comes before the calls that use it.
- Use only the apps and APIs described below.

Three examples of chaining, with made-up apps; in the last, one call needs what two apps returned:

app1: [place, price = app1_search(#area='north')]
app1: [place, ticket = app1_book(#place=place, #persons='2')]

app1: [day, place = app1_find(#topic='chess')]
app2: [fare, car = app2_ride(#to=place, #on=day)]

app1: [place, hall = app1_search(#area='north')]
app2: [car, price = app2_rent(#seats='4')]
app3: [total, code = app3_insure(#to=place, #vehicle=car)]

Apps and their APIs:

{{apis}}{{reasoning}}`,
  user: "{{instruction}}",
});

/** Returns the template that asks for a chain of thought in a stage. */
export const reasoningIn = ({ name, when }: PromptTemplate): PromptTemplate => ({
  name: `${name}.reasoning`,
  role: "model",
  protocol: "stages",
  when: { ...when, strategy: ["cot"] },
  text: `Before you answer, think step by step: what is asked for, which calls give it, what each needs and where that comes from. Use no square brackets while thinking. Then write a line that reads
${marker}
and below it the answer in the form asked for above, with nothing after it.`,
});

export const prompts: readonly PromptTemplate[] = [
  ...selecting,
  reasoningIn(selecting[0]),
  ...planning,
  reasoningIn(planning[0]),
];
