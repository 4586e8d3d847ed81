/** An append-only list of 32-bit numbers. */
export class GrowableNumbers {
  private numbers: Int32Array;
  length = 0;

  constructor(room = 4) {
    this.numbers = new Int32Array(room);
  }

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Int32Array(Math.ceil(this.length * 1.5) + 4);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length] = number;
    this.length += 1;
  }

  /** Changes a number that is there. */
  add(place: number, more: number): void {
    this.numbers[place] = (this.numbers[place] as number) + more;
  }

  at(place: number): number {
    return this.numbers[place] as number;
  }

  each(visit: (number: number) => void): void {
    for (let at = 0; at < this.length; at += 1) visit(this.numbers[at] as number);
  }

  /** The numbers, with room behind the last one. */
  all(): Int32Array {
    return this.numbers;
  }
}
