/** Milliseconds between two lines where nobody watches a terminal. */
const QUIET_INTERVAL = 10_000;
const WATCHED_INTERVAL = 200;

/** One line that tells how far a long piece of work is: rewritten on a terminal, a new one now and then elsewhere. */
export class ProgressLine {
  private began = Date.now();
  private shown = this.began;
  private what = '';

  constructor(private readonly out: NodeJS.WriteStream = process.stdout) {}

  /**
   * @param done how many so far
   * @param what of what, in the plural
   */
  show(done: number, what: string): void {
    const now = Date.now();
    if (what !== this.what) this.began = now;
    this.what = what;
    if (now - this.shown < (this.out.isTTY ? WATCHED_INTERVAL : QUIET_INTERVAL)) return;
    this.shown = now;
    const rate = Math.round((done * 1000) / Math.max(now - this.began, 1));
    const text = `${done.toLocaleString('en')} ${what}, ${rate.toLocaleString('en')} a second`;
    this.out.write(this.out.isTTY ? `\r\u001b[2K${text}` : `${text}\n`);
  }

  /** Clears the line for what is printed next. */
  clear(): void {
    if (this.out.isTTY) this.out.write('\r\u001b[2K');
  }
}
