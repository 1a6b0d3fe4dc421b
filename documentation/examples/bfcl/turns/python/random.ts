/** Python's `random.Random`: the Mersenne Twister (Matsumoto and Nishimura, 1998), MT19937, seeded by a whole number. */

const size = 624;
const middle = 397;

export class Random {
  readonly #state: Uint32Array;
  #at = size;

  constructor(seed: bigint) {
    this.#state = seeded(seed < 0n ? -seed : seed);
  }

  #next(): number {
    if (this.#at >= size) this.#twist();
    let value = this.#state[this.#at++]!;
    value ^= value >>> 11;
    value ^= (value << 7) & 0x9d2c_5680;
    value ^= (value << 15) & 0xefc6_0000;
    value ^= value >>> 18;
    return value >>> 0;
  }

  #twist(): void {
    const state = this.#state;
    for (let index = 0; index < size; index++) {
      const joined = (state[index]! & 0x8000_0000) | (state[(index + 1) % size]! & 0x7fff_ffff);
      state[index] = state[(index + middle) % size]! ^ (joined >>> 1) ^ (joined & 1 ? 0x9908_b0df : 0);
    }
    this.#at = 0;
  }

  #bits(count: number): bigint {
    let [value, shift] = [0n, 0n];
    for (let left = count; left > 0; left -= 32) {
      value |= BigInt(left >= 32 ? this.#next() : this.#next() >>> (32 - left)) << shift;
      shift += 32n;
    }
    return value;
  }

  /** Returns `randint(from, to)`. */
  whole(from: number, to: number): bigint {
    const count = BigInt(to - from + 1);
    const bits = count.toString(2).length;
    let drawn = this.#bits(bits);
    while (drawn >= count) drawn = this.#bits(bits);
    return BigInt(from) + drawn;
  }

  /** Returns `uniform(from, to)`. */
  uniform(from: number, to: number): number {
    const [high, low] = [this.#next() >>> 5, this.#next() >>> 6];
    return from + (to - from) * ((high * 67_108_864 + low) / 9_007_199_254_740_992);
  }
}

function seeded(seed: bigint): Uint32Array {
  const key: number[] = [];
  for (let left = seed; left > 0n; left >>= 32n) key.push(Number(left & 0xffff_ffffn));
  if (key.length === 0) key.push(0);
  const state = new Uint32Array(size);
  state[0] = 19_650_218;
  const mixed = (index: number) => state[index - 1]! ^ (state[index - 1]! >>> 30);
  for (let index = 1; index < size; index++) state[index] = Math.imul(1_812_433_253, mixed(index)) + index;
  let [at, from] = [1, 0];
  const step = (factor: number, more: number) => {
    state[at] = (state[at]! ^ Math.imul(mixed(at), factor)) + more;
    at += 1;
    if (at < size) return;
    state[0] = state[size - 1]!;
    at = 1;
  };
  for (let count = Math.max(size, key.length); count > 0; count--) {
    step(1_664_525, key[from]! + from);
    from = (from + 1) % key.length;
  }
  for (let count = size - 1; count > 0; count--) step(1_566_083_941, -at);
  state[0] = 0x8000_0000;
  return state;
}
