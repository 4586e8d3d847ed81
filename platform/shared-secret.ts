import { timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** Milliseconds for which the secret before the current one is still accepted. */
const GRACE = 60_000;
/** Milliseconds between two looks at whether the file has changed. */
const LOOK_EVERY = 1_000;

/**
 * The secret that the embedded event store demands of every call, in a file that only its owner may read: its first line,
 * and in the second the one before. Both sides follow the file, so that the secret changes while they run.
 */
export class SharedSecret {
  private version = '';
  private changedAt = 0;
  private lookedAt = 0;
  private texts: string[] = [];

  /** @throws an Error if the file cannot be read or is empty */
  constructor(private readonly file: string) {
    this.look();
  }

  /** What a caller sends. */
  get current(): string {
    if (Date.now() - this.lookedAt > LOOK_EVERY) this.lookAgain();
    return this.texts[0] ?? '';
  }

  /** Whether a caller knows the secret. */
  accepts(given: string): boolean {
    if (this.isAmongAccepted(given)) return true;
    this.lookAgain();
    return this.isAmongAccepted(given);
  }

  private isAmongAccepted(given: string): boolean {
    const [current = '', previous = ''] = this.texts;
    if (isSameSecret(given, current)) return true;
    return previous !== '' && Date.now() - this.changedAt < GRACE && isSameSecret(given, previous);
  }

  private lookAgain(): void {
    try {
      this.look();
    } catch {
      // It was removed, or given to another user: both sides go on with what they know.
      this.lookedAt = Date.now();
    }
  }

  private look(): void {
    const { ino, mtimeMs } = statSync(this.file);
    this.lookedAt = Date.now();
    const version = `${ino} ${mtimeMs}`;
    if (version === this.version) return;
    const texts = readFileSync(this.file, 'utf8').trim().split('\n');
    if (texts[0] === '') throw new Error(`${this.file} holds no secret.`);
    this.texts = texts;
    this.version = version;
    this.changedAt = mtimeMs;
  }
}

/** Compares in constant time; how long a secret is, everybody may know. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
