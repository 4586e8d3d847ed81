import * as m from '#words/messages.js';

/** Milliseconds between two lines where nobody watches a terminal. */
const QUIET_INTERVAL = 10_000;
const WATCHED_INTERVAL = 200;

/** A number of what is done, as a text. */
type Counted = (inputs: { count: number }) => string;

/** One line that tells how far a long piece of work is: rewritten on a terminal, a new one now and then elsewhere. */
export class ProgressLine {
  private began = Date.now();
  private shown = this.began;
  private what: Counted | undefined;
  /** Where this work began, if a part of it was done before. */
  private first = { done: 0, part: 0 };

  constructor(private readonly out: NodeJS.WriteStream = process.stdout) {}

  /**
   * @param done how many so far
   * @param what makes a number of it a text
   * @param part of the whole, from 0 to 1, where that is known
   */
  show(done: number, what: Counted, part?: number): void {
    const now = Date.now();
    if (what !== this.what) {
      this.began = now;
      this.first = part === undefined ? { done: 0, part: 0 } : { done, part };
    }
    this.what = what;
    if (now - this.shown < (this.out.isTTY ? WATCHED_INTERVAL : QUIET_INTERVAL)) return;
    this.shown = now;
    const elapsed = Math.max(now - this.began, 1);
    const rate = Math.round(((done - this.first.done) * 1000) / elapsed);
    const text = this.worded({ done: what({ count: done }), rate }, elapsed, part);
    this.out.write(this.out.isTTY ? `\r\u001b[2K${text}` : `${text}\n`);
  }

  private worded(so: { done: string; rate: number }, elapsed: number, part?: number): string {
    if (part === undefined) return m.cli_progress(so);
    const far = { ...so, percent: Math.floor(part * 100) };
    const gained = part - this.first.part;
    if (gained <= 0) return m.cli_progress_part(far);
    const seconds = Math.ceil((elapsed * (1 - part)) / gained / 1000);
    return seconds < 100
      ? m.cli_progress_seconds_left({ ...far, seconds })
      : m.cli_progress_minutes_left({ ...far, minutes: Math.ceil(seconds / 60) });
  }

  /** Clears the line for what is printed next. */
  clear(): void {
    if (this.out.isTTY) this.out.write('\r\u001b[2K');
  }
}
