import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandAnswerSchema } from '#contracts/borrowing/borrow-views.js';
import { isRefusalByRule, type ProblemCode } from '#contracts/problem.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';

/** Somebody who is signed in. */
export interface Person {
  id: string;
  /** What the log calls the person. */
  pseudonym: string;
  token: string;
}

/** What a client was told of a command: it was done, or a rule refused it. Asked again, it is told the same. */
export type ClientAnswer = { borrowId: string; position: string } | { refused: string };

/** Milliseconds that a client waits for an answer: longer than any call takes. */
const TIMEOUT = 12_000;

/** One command as its client sees it: sent under one key until it is answered, or given up without an answer. */
export class SentCommand {
  readonly key: string = randomUUID();
  /** Every answer that came, in the order they came. Nothing where the client never got one. */
  readonly answers: ClientAnswer[] = [];
  /** What came each time that nothing certain came back: a status with its Retry-After, or the name of an error. */
  readonly failures: string[] = [];
  /** When it was first told of its success, by the clock of the process. */
  acknowledgedAt: number | undefined;

  constructor(
    readonly type: 'RentBooks' | 'IssueBooks' | 'RenewBorrow' | 'ReturnBooks',
    readonly sender: Person,
    /** Whose borrow it is. */
    readonly readerId: string,
    readonly bookIds: number[],
    readonly borrowId?: string,
    /** The date that a renewal extends. */
    readonly dueDate?: string,
  ) {}

  /** The id that the product gives this command: by its key and its sender. */
  get commandId(): string {
    return commandIdentity(this.key, this.sender.pseudonym, this.type, {}).commandId;
  }

  /** The answer that told of success, if one came. */
  get acknowledged(): { borrowId: string; position: string } | undefined {
    for (const answer of this.answers) if ('borrowId' in answer) return answer;
    return undefined;
  }

  /** Times it was sent and nothing certain came back. */
  get unanswered(): number {
    return this.failures.length;
  }

  /** Sends it once. Resolves with whether an answer came that says what was done. */
  async send(url: string): Promise<boolean> {
    try {
      const response = await fetch(`${url}/api/Borrow/${this.path()}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.sender.token}`,
          'content-type': 'application/json',
          'idempotency-key': this.key,
        },
        body: JSON.stringify({ bookIds: this.bookIds }),
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const body: unknown = await response.json();
      if (response.status === 200) {
        const { borrowId, position } = commandAnswerSchema.parse(body);
        this.answers.push({ borrowId, position });
        this.acknowledgedAt ??= Date.now();
        return true;
      }
      const { code } = body as { code: ProblemCode };
      const isDecided = isRefusalByRule(code);
      if (isDecided) this.answers.push({ refused: code });
      else this.failures.push(`${response.status}, again in ${response.headers.get('retry-after')}`);
      return isDecided;
    } catch (error) {
      this.failures.push((error as Error).name);
      return false;
    }
  }

  /** Sends it again and again under its key, until an answer comes or the client gives up. */
  async insist(url: string, signal: AbortSignal, giveUp: () => boolean): Promise<void> {
    while (!signal.aborted && !(await this.send(url))) {
      if (giveUp()) return;
      await sleep(50);
    }
  }

  private path(): string {
    if (this.type === 'RentBooks') return 'rent-books';
    if (this.type === 'RenewBorrow') return `renew?borrowId=${this.borrowId}&dueDate=${this.dueDate}`;
    const call = this.type === 'IssueBooks' ? 'issue-books' : 'return-books';
    return `${call}?borrowId=${this.borrowId}&userId=${this.readerId}`;
  }
}
