import fc from 'fast-check';
import { BookOrder, type PlaceInOrder } from './book-order.js';
import { forAll } from '../../../../test-support/for-all.js';

/** Books by their ids with what they are ordered by. */
type Shelf = Map<number, number>;

const inOrder = (shelf: Shelf) =>
  [...shelf].sort(([id, key], [otherId, otherKey]) => key - otherKey || id - otherId).map(([id]) => id);

const step = fc.record({
  removed: fc.uniqueArray(fc.integer({ min: 1, max: 80 }), { maxLength: 3 }),
  saved: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 0, max: 5 })), {
    maxLength: 12,
    selector: ([id]) => id,
  }),
});

describe('the books in an order', () => {
  it('are those of the same books sorted anew, after any removals, additions and moves', () => {
    forAll(
      [fc.integer({ min: 0, max: 60 }), fc.array(step, { maxLength: 30 })],
      { numRuns: 300 },
      (begun, steps) => {
        const shelf: Shelf = new Map(Array.from({ length: begun }, (_, at) => [at + 1, at % 6]));
        const order = new BookOrder();
        for (const id of inOrder(shelf)) order.push(id);
        for (const { removed, saved } of steps) {
          for (const id of removed) shelf.delete(id);
          for (const [id, key] of saved) shelf.set(id, key);
          const ids = inOrder(shelf);
          const places = saved.map(([id]): PlaceInOrder => [id, ids[ids.indexOf(id) - 1] ?? null]);
          expect(
            order.change(
              removed.filter((id) => !shelf.has(id)),
              places,
            ),
          ).toBe(true);
          expect(order.page(0, 1000)).toEqual(ids);
          expect(order.page(2, 3)).toEqual(ids.slice(2, 5));
          const even = (id: number) => id % 2 === 0;
          expect(order.firstOf(even, 5)).toEqual(ids.filter(even).slice(0, 5));
          expect(order.sort([...shelf.keys()].filter(even), 5)).toEqual(ids.filter(even).slice(0, 5));
        }
      },
    );
  });

  it('can be put between the same two again and again', () => {
    const order = new BookOrder();
    order.push(1);
    order.push(2);
    const ids = [1, 2];
    for (let id = 3; id < 200; id += 1) {
      expect(order.change([], [[id, 1]])).toBe(true);
      ids.splice(1, 0, id);
    }
    expect(order.page(0, 1000)).toEqual(ids);
    expect(order.sort([150, 2, 40, 1], 4)).toEqual([1, 150, 40, 2]);
  });

  it('say so when a book is to come after one that is not there, or two after the same', () => {
    const made = () => {
      const order = new BookOrder();
      for (const id of [1, 2, 3]) order.push(id);
      return order;
    };
    expect(made().change([], [[4, 9]])).toBe(false);
    expect(made().change([2], [[4, 2]])).toBe(false);
    expect(
      made().change(
        [],
        [
          [4, 1],
          [5, 1],
        ],
      ),
    ).toBe(false);
    expect(
      made().change(
        [],
        [
          [4, 5],
          [5, 4],
        ],
      ),
    ).toBe(false);
  });
});
