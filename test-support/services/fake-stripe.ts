import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Checkout session as this Stripe keeps it. */
export interface FakeSession {
  id: string;
  transactionId: string;
  amount: number;
  currency: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  intent: 'requires_payment_method' | 'processing' | 'succeeded';
  expiresAt: number;
  /** What it was opened with. */
  form: URLSearchParams;
}

/** What goes wrong with a call: nothing of it is done, or all of it and only the answer is lost. */
export type Fault = 'refused' | 'lost-before' | 'lost-after' | undefined;

const KEY = 'sk_test_of_the_fake';
const SECRET = 'whsec_of_the_fake';
/** Least amount of a payment in PLN, as Stripe has it. */
const LEAST = 200;

/**
 * Answers on loopback as Stripe's API does, as far as the product uses it: Checkout sessions, refunds, idempotency
 * keys, errors. It keeps its own books.
 */
export class FakeStripe {
  readonly sessions = new Map<string, FakeSession>();
  readonly charges: { transactionId: string; amount: number }[] = [];
  readonly refunds: { transactionId: string; amount: number }[] = [];
  /** Asked before each call. */
  fault: (method: string, path: string) => Fault = () => undefined;
  /** The least that it takes, in grosze. */
  least = LEAST;
  readonly calls: string[] = [];
  private readonly answers = new Map<string, { form: string; status: number; body: unknown }>();
  private readonly server = createServer((request, response) => void this.serve(request, response));

  static async start(): Promise<FakeStripe> {
    const fake = new FakeStripe();
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  /** The settings of a product that uses it. */
  get environment(): NodeJS.ProcessEnv {
    const { port } = this.server.address() as AddressInfo;
    return {
      STRIPE_SECRET_KEY: KEY,
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_API_URL: `http://127.0.0.1:${port}`,
      PUBLIC_URL: 'https://library.example',
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  session(transactionId: string): FakeSession {
    const found = [...this.sessions.values()].find((session) => session.transactionId === transactionId);
    if (!found) throw new Error('Stripe has no session of this transaction');
    return found;
  }

  /** The payer pays; where the session is at its end, nothing happens. */
  pay(transactionId: string): void {
    const session = this.session(transactionId);
    if (session.status === 'open') this.complete(session);
  }

  /** The payer chose a way of paying that takes its time. */
  payLater(transactionId: string): void {
    Object.assign(this.session(transactionId), { status: 'complete', intent: 'processing' });
  }

  /** The money of `payLater` came, or did not. */
  settle(transactionId: string, outcome: 'paid' | 'failed'): void {
    const session = this.session(transactionId);
    if (outcome === 'paid') this.complete(session);
    else session.intent = 'requires_payment_method';
  }

  /** The payer leaves the page, and its time runs out. */
  runOut(transactionId: string): void {
    const session = this.session(transactionId);
    if (session.status === 'open') session.status = 'expired';
  }

  /** Tells the product of a session, as Stripe signs it. */
  async tell(
    productUrl: string,
    transactionId: string,
    type = 'checkout.session.completed',
    { secret = SECRET, at = Date.now() }: { secret?: string; at?: number } = {},
  ): Promise<number> {
    const { id } = this.session(transactionId);
    const event = { id: 'evt_1', object: 'event', type, data: { object: { id } } };
    return (await this.send(productUrl, JSON.stringify(event, null, 2), { secret, at })).status;
  }

  /** Sends the product any message, signed as Stripe signs. */
  async send(
    productUrl: string,
    payload: string,
    { secret = SECRET, at = Date.now() } = {},
  ): Promise<Response> {
    const timestamp = Math.floor(at / 1000);
    const signature = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
    return fetch(`${productUrl}/api/Payment/webhook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${timestamp},v1=${signature}`,
      },
      body: payload,
    });
  }

  private complete(session: FakeSession): void {
    Object.assign(session, { status: 'complete', payment_status: 'paid', intent: 'succeeded' });
    this.charges.push({ transactionId: session.transactionId, amount: session.amount });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? '', 'http://stripe');
    const method = request.method ?? '';
    this.calls.push(`${method} ${pathname}`);
    const fault = this.fault(method, pathname);
    if (fault === 'lost-before') return void request.socket.destroy();
    const { status, body } =
      fault === 'refused'
        ? failure(503, 'api_error', 'Away for a moment.')
        : this.once(request, method, pathname, Buffer.concat(chunks).toString());
    if (fault === 'lost-after') return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' });
    response.end(JSON.stringify(body));
  }

  /** A repeated idempotency key gets the first answer, and is refused for another request. */
  private once(request: IncomingMessage, method: string, path: string, form: string): Answer {
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      return failure(
        401,
        'invalid_request_error',
        `Invalid API Key provided: ${request.headers.authorization}`,
      );
    }
    const key = request.headers['idempotency-key'];
    if (method !== 'POST' || typeof key !== 'string') return this.answer(method, path, form);
    const known = this.answers.get(key);
    if (known) {
      if (known.form === form) return known;
      return failure(400, 'idempotency_error', 'Keys can only be used with the same parameters.');
    }
    const answer = this.answer(method, path, form);
    this.answers.set(key, { form, ...answer });
    return answer;
  }

  private answer(method: string, path: string, body: string): Answer {
    const form = new URLSearchParams(body);
    if (path === '/v1/checkout/sessions' && method === 'POST') return this.openSession(form);
    if (path === '/v1/refunds' && method === 'POST') return this.refund(form);
    const [, id = '', action] = /^\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(path) ?? [];
    const session = this.sessions.get(id);
    if (!session)
      return failure(404, 'invalid_request_error', 'No such checkout session', 'resource_missing');
    if (action !== undefined) {
      if (session.status !== 'open') {
        return failure(400, 'invalid_request_error', 'Only open sessions can be expired.');
      }
      session.status = 'expired';
    }
    return { status: 200, body: view(session) };
  }

  private openSession(form: URLSearchParams): Answer {
    const amount = Number(form.get('line_items[0][price_data][unit_amount]'));
    if (amount < this.least) {
      return failure(400, 'invalid_request_error', 'The amount is too small.', 'amount_too_small');
    }
    const session: FakeSession = {
      id: `cs_test_${this.sessions.size + 1}`,
      transactionId: form.get('client_reference_id') ?? '',
      amount,
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      status: 'open',
      payment_status: 'unpaid',
      intent: 'requires_payment_method',
      expiresAt: Number(form.get('expires_at')),
      form,
    };
    this.sessions.set(session.id, session);
    return { status: 200, body: view(session) };
  }

  private refund(form: URLSearchParams): Answer {
    const session = [...this.sessions.values()].find(({ id }) => `pi_${id}` === form.get('payment_intent'));
    if (session?.payment_status !== 'paid') {
      return failure(400, 'invalid_request_error', 'There is no charge to refund.');
    }
    const { transactionId, amount } = session;
    if (this.refunds.some((refund) => refund.transactionId === transactionId)) {
      return failure(400, 'invalid_request_error', 'Already refunded.', 'charge_already_refunded');
    }
    this.refunds.push({ transactionId, amount });
    return { status: 200, body: { id: `re_${session.id}`, object: 'refund', status: 'succeeded' } };
  }
}

interface Answer {
  status: number;
  body: unknown;
}

function view({ id, transactionId, amount, currency, status, payment_status, intent }: FakeSession) {
  return {
    id,
    object: 'checkout.session',
    client_reference_id: transactionId,
    amount_total: amount,
    currency,
    status,
    payment_status,
    url: status === 'open' ? `https://checkout.stripe.example/c/pay/${id}` : null,
    payment_intent:
      status === 'complete' ? { id: `pi_${id}`, object: 'payment_intent', status: intent } : null,
  };
}

function failure(status: number, type: string, message: string, code?: string): Answer {
  return { status, body: { error: { type, message, ...(code !== undefined && { code }) } } };
}
