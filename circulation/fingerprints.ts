const EMPTY = 0;
const FIRST_SLOTS = 64;
const GROWTH = 2;

/** Remembers of many texts no more than that it may have seen them: sixteen to thirty-two bytes each. */
export class Fingerprints {
  #slots = new Float64Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(text: string): void {
    if ((this.#size + 1) * 2 > this.#slots.length) this.#grow();
    this.#put(fingerprintOf(text));
  }

  /** False for certain where the text was never added; true, but for one chance in 2^52 divided by the size, where it was. */
  mayHave(text: string): boolean {
    const fingerprint = fingerprintOf(text);
    return this.#slots[this.#slotOf(fingerprint)] === fingerprint;
  }

  #put(fingerprint: number): void {
    const slot = this.#slotOf(fingerprint);
    if (this.#slots[slot] === fingerprint) return;
    this.#slots[slot] = fingerprint;
    this.#size += 1;
  }

  /** Its own, or the first free one after it. */
  #slotOf(fingerprint: number): number {
    const { length } = this.#slots;
    let slot = fingerprint % length;
    while (this.#slots[slot] !== EMPTY && this.#slots[slot] !== fingerprint) slot = (slot + 1) % length;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * GROWTH);
    this.#size = 0;
    for (const fingerprint of before) if (fingerprint !== EMPTY) this.#put(fingerprint);
  }
}

/** A whole number of 52 bits, never zero. */
function fingerprintOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
    low ^= low >>> 13;
  }
  return (high >>> 0) * 2 ** 20 + (low >>> 12) + 1;
}
