import { setTimeout as sleep } from 'node:timers/promises';
import { paymentConfirmationSchema, paymentCreationSchema } from '#contracts/payments/payment.js';
import type { Random } from './random.js';
import type { Person } from './sent-command.js';

/** What a reader does next to have their fee paid. */
export type Stage = 'create' | 'pay' | 'confirm' | 'done';

/** Milliseconds that a reader waits for an answer, and before they ask again. */
const TIMEOUT = 8_000;
const PAUSE = 100;

/** How often a reader declines at the provider before they pay. */
const DECLINES = 0.3;

/** A reader who pays a fee, and asks again wherever they get no answer, as a person and their browser do. */
export class FeePayer {
  stage: Stage = 'create';
  /** The payment that they were told is confirmed; none where they only learned that nothing is owed any more. */
  confirmed: string | undefined;
  private page = '';
  private transactionId = '';
  private declines: boolean;

  constructor(
    readonly person: Person & { email: string },
    readonly borrowId: string,
    private readonly random: Random,
  ) {
    this.declines = random.chance(DECLINES);
  }

  /** Goes on until this stage is reached. */
  async goTo(stage: Stage, url: string): Promise<void> {
    while (this.stage !== stage) {
      if (!(await this.step(url))) await sleep(PAUSE);
    }
  }

  /** Pays to the end, with pauses in which the product may be killed. */
  async finish(url: string): Promise<void> {
    while (this.stage !== 'done') {
      await sleep(this.random.between(0, 2 * PAUSE));
      await this.step(url);
    }
  }

  /**
   * Asks for the next thing once.
   * @returns whether an answer came that leads on
   * @throws an Error for an answer that a reader must never get
   */
  async step(url: string): Promise<boolean> {
    const before = this.stage;
    let response: Response;
    try {
      response = await fetch(this.address(url), {
        method: 'POST',
        headers: { authorization: `Bearer ${this.person.token}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const body = await response.text();
      // They asked twice, and the other answer led on already.
      if (this.stage !== before) return false;
      await this.take(response.status, response.headers.get('location'), body);
    } catch (error) {
      if (error instanceof UnexpectedAnswer) throw error;
      // Nothing came back, or not all of it: whether it was done is not known.
      return false;
    }
    return this.stage !== before;
  }

  private address(url: string): string {
    switch (this.stage) {
      case 'create':
        return `${url}/api/Payment/create?borrowId=${this.borrowId}`;
      case 'pay':
        return `${this.page}/${this.declines ? 'decline' : 'pay'}`;
      case 'confirm':
      case 'done':
        return `${url}/api/Payment/confirm?transactionId=${this.transactionId}`;
    }
  }

  private async take(status: number, location: string | null, body: string): Promise<void> {
    // A part of the product that is still coming up.
    if (status >= 500) return;
    if (this.stage === 'pay') return this.returnTo(location, status, body);
    if (this.stage === 'create' && status === 409) {
      if (body.includes('NothingToPay')) this.stage = 'done';
      // "Please look again": something else was just being done to this fee.
      if (this.stage === 'done' || body.includes('ConcurrentChange')) return;
    }
    if (status !== 200) throw new UnexpectedAnswer(this.stage, status, body);
    if (this.stage === 'create') {
      const { redirectUrl, transactionId } = paymentCreationSchema.parse(JSON.parse(body));
      [this.page, this.transactionId, this.stage] = [redirectUrl, transactionId, 'pay'];
    } else {
      paymentConfirmationSchema.parse(JSON.parse(body));
      [this.confirmed, this.stage] = [this.transactionId, 'done'];
    }
  }

  /** Where the provider sends them: it says itself what became of a choice whose answer was lost. */
  private returnTo(location: string | null, status: number, body: string): void {
    if (location?.endsWith('/payment/success')) this.stage = 'confirm';
    else if (location?.endsWith('/payment/fail')) this.stage = 'create';
    else throw new UnexpectedAnswer(this.stage, status, body);
    this.declines = false;
  }
}

class UnexpectedAnswer extends Error {
  constructor(stage: Stage, status: number, body: string) {
    super(`At “${stage}” the answer was ${status}: ${body.slice(0, 500)}`);
  }
}
