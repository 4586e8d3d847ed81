import { cart, type CartBook } from './cart.js';

const book = (id: number): CartBook => ({ id, title: `Book ${id}`, photo: null, authors: [], genres: [] });

describe('the cart', () => {
  beforeEach(() => cart.clear());

  // spec 4.5
  it('refuses a book that it holds already', () => {
    expect(cart.add(book(1))).toBe(true);
    expect(cart.add(book(1))).toBe(false);
    expect(cart.books()).toHaveLength(1);
  });

  // spec 3.12
  it('gives books back and can be emptied', () => {
    [1, 2, 3].forEach((id) => cart.add(book(id)));
    cart.remove(2);
    expect(cart.books().map(({ id }) => id)).toEqual([1, 3]);
    cart.clear();
    expect(cart.books()).toEqual([]);
  });

  it('tells of every change once', () => {
    let told = 0;
    const stop = cart.subscribe(() => (told += 1));
    cart.add(book(1));
    cart.add(book(1));
    cart.remove(1);
    stop();
    cart.add(book(2));
    expect(told).toBe(2);
  });
});
