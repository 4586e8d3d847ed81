/** Many short texts in one buffer: a million strings would keep the garbage collector busy. */
export class TextArena {
  private bytes = Buffer.alloc(1 << 16);
  /** Where each text ends. */
  private ends = new Uint32Array(1024);
  private count = 0;

  push(text: string): void {
    const from = this.endOf(this.count - 1);
    const most = from + text.length * 3;
    if (most > this.bytes.length) {
      const larger = Buffer.alloc(Math.ceil(most * 1.5));
      this.bytes.copy(larger, 0, 0, from);
      this.bytes = larger;
    }
    if (this.count === this.ends.length) {
      const larger = new Uint32Array(Math.ceil(this.count * 1.5));
      larger.set(this.ends);
      this.ends = larger;
    }
    this.ends[this.count] = from + this.bytes.write(text, from);
    this.count += 1;
  }

  /** @param skipped bytes of the text that come before */
  startsWith(place: number, beginning: Buffer, skipped = 0): boolean {
    const from = this.endOf(place - 1) + skipped;
    if (this.endOf(place) - from < beginning.length) return false;
    for (let at = 0; at < beginning.length; at += 1) {
      if (this.bytes[from + at] !== beginning[at]) return false;
    }
    return true;
  }

  /** Bytes of a text. */
  lengthOf(place: number): number {
    return this.endOf(place) - this.endOf(place - 1);
  }

  private endOf(place: number): number {
    return place < 0 ? 0 : (this.ends[place] as number);
  }
}
