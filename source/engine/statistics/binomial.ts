/** Draws from binomial distributions. */
import { gammaln } from "simple-statistics";

/** Mean below which probabilities are summed one by one; above it a number is proposed and accepted or rejected. */
const few = 10;

/**
 * Returns how many of `trials` succeed, each with probability `share`: drawn exactly, in a time that does not grow with `trials`.
 * By inversion, or by Hörmann's transformed rejection (BTRS; Hörmann 1993, Journal of Statistical Computation and Simulation 46:
 * 101-110). `random` returns numbers in [0, 1).
 */
export function drawBinomial(trials: number, share: number, random: () => number): number {
  if (share > 0.5) return trials - drawBinomial(trials, 1 - share, random);
  if (trials === 0 || share <= 0) return 0;
  return trials * share < few ? inverted(trials, share, random) : proposed(trials, share, random);
}

function inverted(trials: number, share: number, random: () => number): number {
  const odds = share / (1 - share);
  for (;;) {
    let probability = (1 - share) ** trials;
    let rest = random();
    for (let successes = 0; successes <= trials; successes++) {
      if (rest < probability) return successes;
      rest -= probability;
      probability *= (odds * (trials - successes)) / (successes + 1);
    }
    // Rounding makes the sum of all probabilities less than 1: drawn again.
  }
}

function proposed(trials: number, share: number, random: () => number): number {
  const deviation = Math.sqrt(trials * share * (1 - share));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * share;
  const alpha = (2.83 + 5.1 / b) * deviation;
  const mode = Math.floor((trials + 1) * share);
  const logOdds = Math.log(share / (1 - share));
  const atMode = gammaln(mode + 1) + gammaln(trials - mode + 1);
  for (;;) {
    const u = random() - 0.5;
    const v = random();
    const edge = 0.5 - Math.abs(u);
    const successes = Math.floor(((2 * a) / edge + b) * u + trials * share + 0.5);
    if (edge >= 0.07 && v <= 0.92 - 4.2 / b) return successes;
    if (!(successes >= 0 && successes <= trials)) continue;
    const ratio = atMode - gammaln(successes + 1) - gammaln(trials - successes + 1) + (successes - mode) * logOdds;
    if (Math.log((v * alpha) / (a / (edge * edge) + b)) <= ratio) return successes;
  }
}
