/** Milliseconds between two lines where nobody watches a terminal. */
const QUIET_INTERVAL = 10_000;
const WATCHED_INTERVAL = 200;

/** One line that tells how far a long piece of work is: rewritten on a terminal, a new one now and then elsewhere. */
export class ProgressLine {
  private readonly began = Date.now();
  private shown = this.began;

  constructor(private readonly out: NodeJS.WriteStream = process.stdout) {}

  /**
   * @param done how many so far
   * @param what of what, in the plural
   */
  show(done: number, what: string): void {
    const now = Date.now();
    if (now - this.shown < (this.out.isTTY ? WATCHED_INTERVAL : QUIET_INTERVAL)) return;
    this.shown = now;
    const text = `${done.toLocaleString('en')} ${what}, ${this.rate(done)} a second`;
    this.out.write(this.out.isTTY ? `\r\u001b[2K${text}` : `${text}\n`);
  }

  /** Clears the line for what is printed next. */
  clear(): void {
    if (this.out.isTTY) this.out.write('\r\u001b[2K');
  }

  rate(done: number): string {
    return Math.round(done / Math.max((Date.now() - this.began) / 1000, 0.001)).toLocaleString('en');
  }
}
