/**
 * The data at hand is not for this release, or does not belong together. The message is one line: what it is, and
 * what helps. Trying again changes nothing.
 */
export class StartupError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartupError';
  }
}
