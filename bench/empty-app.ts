/**
 * The least a program with Ink can be: draws one text, and stays until it is ended. With `keys` the text ends in a number,
 * which grows with every key; with `ticks` also by itself, thirty times a second.
 */
import { createElement, useEffect, useState } from "react";
import { render, Text, useInput } from "ink";

const counts = process.argv[2];

function Counting() {
  const [count, setCount] = useState(0);
  const grow = () => setCount((before) => before + 1);
  useInput(grow);
  useEffect(() => {
    if (counts !== "ticks") return;
    const tick = setInterval(grow, 1000 / 30);
    return () => clearInterval(tick);
  }, []);
  return createElement(Text, null, `run main ${count}`);
}

const app = render(counts === undefined ? createElement(Text, null, "run main") : createElement(Counting));
const stay = setInterval(() => {}, 60_000);
process.once("SIGTERM", () => {
  app.unmount();
  clearInterval(stay);
  process.exit(0);
});
