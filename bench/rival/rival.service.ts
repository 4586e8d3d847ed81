import { randomUUID } from 'node:crypto';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { DataSource, In, Not, type EntityManager } from 'typeorm';
import { RivalAudit, RivalBook, RivalBorrow, RivalCounters } from './rival.entities.js';

const MAX_BOOKS = 10;
const DAY = 86_400_000;

type Counter = 'rented' | 'issued' | 'returned';

/** The three calls, each one transaction: rows locked, changed, written down and counted when it commits. */
@Injectable()
export class RivalService {
  constructor(private readonly source: DataSource) {}

  rent(readerId: string, bookIds: number[]): Promise<{ borrowId: string }> {
    return this.source.transaction(async (manager) => {
      const books = await manager.find(RivalBook, {
        where: { id: In(bookIds) },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      if (books.length < bookIds.length) throw new NotFoundException('no such book');
      if (books.some(({ available }) => available < 1)) throw new ConflictException('no copy is left');
      const open = await manager.find(RivalBorrow, {
        select: { id: true, books: true },
        where: { readerId, status: Not('Returned') },
      });
      const taken = open.flatMap((borrow) => borrow.books.map(({ bookId }) => bookId));
      if (taken.length + bookIds.length > MAX_BOOKS) throw new ConflictException('too many books');
      if (taken.some((bookId) => bookIds.includes(bookId))) throw new ConflictException('borrowed already');
      await manager.decrement(RivalBook, { id: In(bookIds) }, 'available', 1);
      const rentedAt = new Date();
      const borrow = {
        id: randomUUID(),
        readerId,
        books: books.map(({ id, title }) => ({ bookId: id, title })),
        status: 'Rented' as const,
        rentedAt,
        collectBy: new Date(rentedAt.getTime() + 3 * DAY),
      };
      await manager.insert(RivalBorrow, borrow);
      await this.note(manager, borrow.id, readerId, 'rent', { bookIds }, 'rented');
      return { borrowId: borrow.id };
    });
  }

  issue(librarian: string, borrowId: string, readerId: string, bookIds: number[]) {
    return this.source.transaction(async (manager) => {
      await this.locked(manager, borrowId, readerId, 'Rented', bookIds);
      const issuedAt = new Date();
      const dueDate = new Date(issuedAt.getTime() + 14 * DAY);
      await manager.update(RivalBorrow, { id: borrowId }, { status: 'Issued', issuedAt, dueDate });
      await this.note(manager, borrowId, librarian, 'issue', { bookIds }, 'issued', 'rented');
      return { borrowId };
    });
  }

  takeBack(librarian: string, borrowId: string, readerId: string, bookIds: number[]) {
    return this.source.transaction(async (manager) => {
      await this.locked(manager, borrowId, readerId, 'Issued', bookIds);
      await manager.update(RivalBorrow, { id: borrowId }, { status: 'Returned', returnedAt: new Date() });
      await manager.increment(RivalBook, { id: In(bookIds) }, 'available', 1);
      await this.note(manager, borrowId, librarian, 'return', { bookIds }, 'returned', 'issued');
      return { borrowId };
    });
  }

  private async locked(
    manager: EntityManager,
    id: string,
    readerId: string,
    status: RivalBorrow['status'],
    bookIds: number[],
  ): Promise<void> {
    const borrow = await manager.findOne(RivalBorrow, {
      where: { id, readerId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!borrow) throw new NotFoundException('no such borrow');
    if (borrow.status !== status) throw new ConflictException(`this borrow is ${borrow.status}`);
    if (!borrow.books.every(({ bookId }) => bookIds.includes(bookId)))
      throw new ConflictException('other books');
  }

  /** The counters come last: every transaction waits for their row, and holds it to its end. */
  private async note(
    manager: EntityManager,
    borrowId: string,
    actor: string,
    action: string,
    details: object,
    to: Counter,
    from?: Counter,
  ): Promise<void> {
    await manager.insert(RivalAudit, { borrowId, actor, action, details, at: new Date() });
    await manager.update(
      RivalCounters,
      { id: 1 },
      { [to]: () => `"${to}" + 1`, ...(from && { [from]: () => `"${from}" - 1` }) },
    );
  }
}
