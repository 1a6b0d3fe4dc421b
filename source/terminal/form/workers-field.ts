/** The field of the form for the executor of runs. It is not part of the cell: the choice applies to all notebooks. */
import { useEffect, useState } from "react";
import { readRedisUrl, redisName } from "../../engine/settings/redis-place.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { plural } from "../../look/amounts.ts";
import type { Field } from "./form-fields.ts";

type Workers = NonNullable<Workbench["workers"]>;

const here = "this machine";

/** Returns no field if only this machine can execute runs. */
export function useWorkersField(workers: Workers | undefined, active: boolean): readonly Field[] {
  const living = useLiving(workers, active);
  if (workers === undefined) return [];
  const { url, used } = workers;
  const place = url === undefined ? undefined : placeText(url, living);
  return [
    {
      name: "workers",
      title: "Executed by",
      choices: [
        { value: here, title: here },
        ...(url === undefined || place === undefined ? [] : [{ value: url, title: place }]),
      ],
      several: false,
      standard: here,
      ...(used && url !== undefined && place !== undefined && { taken: [url], shown: place }),
      note: "applies to all notebooks; for workers type the address of their Redis, redis://HOST:PORT",
      read: (text) => (text === here ? text : readPlace(text)),
      typed: true,
    },
  ];
}

/** Converts the chosen value for the workbench. */
export const chosenWorkers = (taken: string): string | undefined => (taken === here ? undefined : taken.trim());

/** Reads a typed address, or returns the problem with it. */
export function readPlace(text: string): string | { readonly problem: string } {
  try {
    readRedisUrl(text.trim());
    return text.trim();
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** The number of live workers at an address; undefined if it cannot be reached. */
type Living = { readonly url: string; readonly count: number | undefined };

function placeText(url: string, living: Living | undefined): string {
  const name = redisName(readRedisUrl(url));
  if (living?.url !== url) return `workers at ${name}`;
  return living.count === undefined
    ? `workers at ${name}, which cannot be reached`
    : `${plural(living.count, "worker")} at ${name}`;
}

/** Counts the workers when the form is opened, and again for each new address. */
function useLiving(workers: Workers | undefined, active: boolean): Living | undefined {
  const [living, setLiving] = useState<Living>();
  const url = workers?.url;
  useEffect(() => {
    // The user is asked for consent when a run is started.
    if (workers === undefined || url === undefined || !active || workers.needsConsent(url)) return;
    let current = true;
    const found = (count: number | undefined) => current && setLiving({ url, count });
    workers.living(url).then(found, () => found(undefined));
    return () => {
      current = false;
    };
  }, [workers, url, active]);
  return living;
}
