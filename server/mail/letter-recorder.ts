import type { Database } from '#platform/database/database.js';
import type { Mutex } from './mutex.js';

/** A letter that is done with. */
interface SettledLetter {
  cause: string;
  claim: string;
  /** Or else it had nothing to say. */
  sent: boolean;
}

/**
 * Records what became of letters. What comes while a statement is under way is recorded together by the next one; whoever
 * sends letters waits for it before the next, so no more than their connections are on their way unrecorded.
 */
export class LetterRecorder {
  private waiting: SettledLetter[] = [];
  private next: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly statements: Mutex,
  ) {}

  /** Returns when it is recorded. A letter that was sent counts as sent, whoever claims it by now. */
  record(letter: SettledLetter): Promise<void> {
    this.waiting.push(letter);
    return (this.next ??= this.statements.run(() => {
      const letters = this.waiting;
      this.waiting = [];
      this.next = undefined;
      return this.write(letters);
    }));
  }

  private async write(letters: readonly SettledLetter[]): Promise<void> {
    await this.database.query({
      name: 'record-letters',
      text: `
        update letters.letter l set state = case when done.sent then 'sent' else 'dropped' end,
          claim = null, queued_at = null, problem = null, settled_at = now()
        from unnest($1::text[], $2::uuid[], $3::boolean[]) done(cause, claim, sent)
        where l.cause = done.cause and l.state <> 'sent' and (done.sent or l.claim = done.claim)`,
      values: [
        letters.map(({ cause }) => cause),
        letters.map(({ claim }) => claim),
        letters.map(({ sent }) => sent),
      ],
    });
  }
}
