/** Works out what the form holds, once nothing has changed for a while. */
import { useEffect, useState } from "react";
import type { Forecast } from "../../engine/workbench/workbench.ts";
import { useTerminal } from "../terminal.ts";

/** Milliseconds without a change before a forecast is worked out. */
const forecastDelay = 150;

/** The latest forecast, and whether it is of what the form now holds. */
export function useForecast(
  source: string,
  front: string | undefined,
  active: boolean,
): { readonly forecast: Forecast | undefined; readonly isCurrent: boolean } {
  const { workbench } = useTerminal();
  const [made, setMade] = useState<{ readonly of: string; readonly forecast: Forecast }>();
  const of = `${source}\n${front ?? ""}`;
  useEffect(() => {
    if (!active) return;
    let current = true;
    const timer = setTimeout(() => {
      const failed = (error: Error): Forecast => ({
        runs: 0,
        tasks: 0,
        calls: 0,
        input: 0,
        output: 0,
        cost: undefined,
        warnings: [],
        problems: [{ message: error.message }],
      });
      void workbench
        .forecast(source, front)
        .catch(failed)
        .then((result) => {
          if (current) setMade({ of: `${source}\n${front ?? ""}`, forecast: result });
        });
    }, forecastDelay);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [source, front, active, workbench]);
  return { forecast: made?.forecast, isCurrent: made === undefined || made.of === of };
}
