/** The least a program with Ink can be: draws one text, and stays until it is ended. */
import { createElement } from "react";
import { render, Text } from "ink";

const app = render(createElement(Text, null, "run main"));
const stay = setInterval(() => {}, 60_000);
process.once("SIGTERM", () => {
  app.unmount();
  clearInterval(stay);
  process.exit(0);
});
