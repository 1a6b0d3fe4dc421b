/** Finds repeated ids of a million records: for each record a hash is kept, and the ids of equal hashes are read again. */

/** The ids of records: their own ids, otherwise their numbers from 1. */
export class RecordIds {
  /** Numbers of records from 1, by the last bits of their hashes; 0 for none. Undefined while all ids are numbers. */
  #slots: Uint32Array | undefined;
  #hashes = new Uint32Array(1_024);
  readonly #idAt: (at: number) => string | undefined;
  /** Differs from one reading to the next, so that no file can be written with ids of equal hashes. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);

  /** `idAt` reads the own id of an earlier record again. */
  constructor(idAt: (at: number) => string | undefined) {
    this.#idAt = idAt;
  }

  get areNumbers(): boolean {
    return this.#slots === undefined;
  }

  /** Records the id of the record at this index; returns whether no earlier record has it. Indexes come in order. */
  isNew(id: string | undefined, at: number): boolean {
    if (id === undefined && this.#slots === undefined) return true;
    if (this.#slots === undefined) {
      this.#slots = new Uint32Array(2_048);
      for (let before = 0; before < at; before++) this.#add(numberOf(before), before);
    }
    return this.#add(id ?? numberOf(at), at);
  }

  #add(id: string, at: number): boolean {
    if (2 * at >= this.#slots!.length) this.#grow(at);
    const hash = this.#hashOf(id);
    for (let place = hash; ; place++) {
      const slot = place & (this.#slots!.length - 1);
      const other = this.#slots![slot]! - 1;
      if (other >= 0) {
        if (this.#hashes[other] === hash && (this.#idAt(other) ?? numberOf(other)) === id) return false;
        continue;
      }
      this.#slots![slot] = at + 1;
      this.#hashes[at] = hash;
      return true;
    }
  }

  /** Doubles the room for the records before this one. */
  #grow(at: number): void {
    const slots = new Uint32Array(4 * at);
    const hashes = new Uint32Array(2 * at);
    hashes.set(this.#hashes.subarray(0, at));
    for (let record = 0; record < at; record++) {
      let place = hashes[record]!;
      while (slots[place & (slots.length - 1)] !== 0) place++;
      slots[place & (slots.length - 1)] = record + 1;
    }
    this.#slots = slots;
    this.#hashes = hashes;
  }

  /** FNV-1a over the text's code units. */
  #hashOf(id: string): number {
    let hash = this.#seed;
    for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 16_777_619);
    return (hash ^ (hash >>> 15)) >>> 0;
  }
}

const numberOf = (at: number) => String(at + 1);
