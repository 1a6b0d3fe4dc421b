/** Numbers, times and costs as short text. */

/** `950`, `12.3k`, `4.56M`. */
export function countText(count: number): string {
  if (count < 10_000) return String(Math.round(count));
  if (count < 999_500) return `${(count / 1_000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(2)}M`;
}

/** `4.2`, `42` tasks a minute; empty if unknown. */
export const rateText = (rate: number | undefined): string =>
  rate === undefined ? "" : rate.toFixed(rate < 10 ? 1 : 0);

/** `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function timeText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

/** `16:04:09` on this machine's clock; `at` is in milliseconds since 1970. */
export const timeOfDay = (at: number): string => new Date(at).toTimeString().slice(0, 8);

/** Returns text such as `45 s`, `3 min`, `2 h`: rounded, because estimates are no more exact; empty if unknown. */
export function roughTime(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  if (seconds < 59.5) return `${Math.max(0, Math.round(seconds))} s`;
  return seconds < 3_570 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** Returns text such as `0.42`, `0.0031`, `12.50`, in the endpoint's currency, which it does not name. */
export function costText(cost: number): string {
  if (cost === 0) return "0";
  return cost < 0.01 ? cost.toPrecision(2) : cost.toFixed(2);
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;
