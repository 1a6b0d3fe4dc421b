/** The option that names the user's agent of a run. */
import type { Option } from "../../option.ts";

export const agentOption: Option = {
  name: "agent",
  title: "Agent",
  values: "text",
  default: "",
  note: "the name of one of your agents: `planwright agents add NAME -- COMMAND`",
};
