import { io, type Socket } from 'socket.io-client';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { ClientToServer, ResumeAnswer, ServerToClient } from '#contracts/live/live-messages.js';

/** One window that is open: whose it is, and what it shows. */
export interface ConsolePlan {
  token: string;
  /** The reader whose borrows it shows; nothing for the queue, which shows all. */
  pseudonym?: string;
}

/** The rows at the end. */
export interface Rows {
  borrows: { id: string; reader: string; position: string; status: string }[];
  copies: [number, number][];
}

/** When a message arrived, at each console that was told. */
interface Arrivals {
  position: bigint;
  bookIds: number[];
  at: number[];
}

/** What arrived, by what it was about: one list for all consoles, as a list for each would be work of its own. */
export interface Seen {
  /** By the position of the borrow. */
  borrows: Map<string, number[]>;
  /** By the position of the message. */
  copies: Map<string, Arrivals>;
}

/** Milliseconds after which the client tries again where it was refused. */
const KNOCK_AGAIN_MS = 3000;

/** One open window: it keeps what the client keeps, and draws nothing. */
export class Console {
  readonly hello: Promise<void>;
  readonly borrows = new Map<string, { position: bigint; status: string }>();
  readonly copies = new Map<number, { position: bigint; copiesAvailable: number }>();
  /** Of the first hello: what happened before is none of its business here. */
  first: bigint | undefined;
  returns = 0;
  refetches = 0;
  private isClosed = false;
  /** As in the client: the last position it has seen, and the ones that come while it catches up. */
  private position = 0n;
  private meanwhile: bigint | undefined;
  private readonly socket: Socket<ServerToClient, ClientToServer>;

  /** @param reconnectionDelay milliseconds; the client's own */
  constructor(
    private readonly url: string,
    readonly plan: ConsolePlan,
    seen: Seen = { borrows: new Map(), copies: new Map() },
    reconnectionDelay = 400,
  ) {
    this.socket = io(url, {
      auth: { token: plan.token },
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay,
      reconnectionDelayMax: 10 * reconnectionDelay,
    });
    // As the client does: after a refusal the library of sockets does not come back by itself.
    const knockAgain = () => {
      if (!this.socket.active && !this.isClosed) setTimeout(() => this.socket.connect(), KNOCK_AGAIN_MS);
    };
    this.socket.on('disconnect', knockAgain);
    this.hello = new Promise((resolve, reject) => {
      this.socket.once('connect_error', reject);
      this.socket.once('hello', () =>
        this.socket.off('connect_error', reject).on('connect_error', knockAgain),
      );
      this.socket.on('hello', ({ position }) => {
        resolve();
        if (this.first === undefined) this.first = this.position = BigInt(position);
        else this.resume();
      });
    });
    this.socket.on('borrow', ({ position, borrow }) => {
      arrived(seen.borrows, borrow.position);
      this.see(BigInt(position));
      this.apply(borrow);
    });
    this.socket.on('counters', ({ position }) => this.see(BigInt(position)));
    this.socket.on('copies', ({ position, books }) => {
      let arrivals = seen.copies.get(position);
      if (!arrivals) {
        arrivals = { position: BigInt(position), bookIds: books.map(({ bookId }) => bookId), at: [] };
        seen.copies.set(position, arrivals);
      }
      arrivals.at.push(Date.now());
      this.see(arrivals.position);
      for (const { bookId, copiesAvailable } of books) {
        const known = this.copies.get(bookId);
        if (known && known.position >= arrivals.position) continue;
        this.copies.set(bookId, { position: arrivals.position, copiesAvailable });
      }
    });
    this.socket.on('refetch', ({ position }) => {
      this.see(BigInt(position));
      void this.refetch();
    });
  }

  /** As when a cable is pulled: the client comes back by itself. */
  cut(): void {
    // One that is on its way back is none that could be pulled.
    if (this.socket.connected) this.socket.io.engine.close();
  }

  close(): void {
    this.isClosed = true;
    this.socket.disconnect();
  }

  /** Whether it shows what the rows say, of what happened since it was opened. */
  agrees({ borrows, copies }: Rows): boolean {
    const { first = 0n } = this;
    const own = borrows.filter(
      ({ reader, position }) => BigInt(position) > first && (this.plan.pseudonym ?? reader) === reader,
    );
    const agreed = own.every(({ id, status, position }) => {
      const known = this.borrows.get(id);
      return known?.status === status && known.position === BigInt(position);
    });
    const counts = new Map(copies);
    return (
      agreed &&
      this.borrows.size >= own.length &&
      [...this.copies].every(([bookId, { copiesAvailable }]) => counts.get(bookId) === copiesAvailable)
    );
  }

  private see(position: bigint): void {
    if (this.meanwhile !== undefined) this.meanwhile = later(position, this.meanwhile);
    else this.position = later(position, this.position);
  }

  private apply({ id, position, status }: Pick<BorrowView, 'id' | 'position' | 'status'>): void {
    const at = BigInt(position);
    const known = this.borrows.get(id);
    if (!known || known.position < at) this.borrows.set(id, { position: at, status });
  }

  private resume(): void {
    this.returns += 1;
    this.meanwhile = 0n;
    // Searches are asked again by a client that comes back: what was told of copies before is forgotten.
    this.copies.clear();
    const { position } = this;
    const over = (failed: Error | null, answer?: ResumeAnswer) => {
      const { meanwhile = 0n } = this;
      this.meanwhile = undefined;
      if (failed || answer?.kind !== 'missed') return void this.refetch();
      this.position = later(later(BigInt(answer.position), meanwhile), position);
      for (const borrow of answer.borrows) this.apply(borrow);
    };
    this.socket.timeout(4000).emit('resume', { position: position.toString() }, over);
  }

  private async refetch(): Promise<void> {
    this.refetches += 1;
    const { pseudonym, token } = this.plan;
    const headers = { authorization: `Bearer ${token}` };
    for (let page = 1; ; page += 1) {
      const list = pseudonym === undefined ? 'Borrow' : 'Borrow/history';
      const answer = await fetch(`${this.url}/api/${list}?pageNumber=${page}&pageSize=100`, { headers });
      if (!answer.ok) throw new Error(`${list} was answered ${answer.status}.`);
      const { items } = (await answer.json()) as { items: BorrowView[] };
      for (const borrow of items) this.apply(borrow);
      if (items.length < 100) return;
    }
  }
}

const later = (one: bigint, other: bigint) => (one > other ? one : other);

function arrived(arrivals: Map<string, number[]>, key: string): void {
  const times = arrivals.get(key);
  if (times) times.push(Date.now());
  else arrivals.set(key, [Date.now()]);
}
