/**
 * Runs work one after the other: statements of one process that change several of the same rows would wait for each other
 * for ever.
 */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
