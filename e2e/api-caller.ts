/** Somebody who uses the product without a browser. */
export interface ApiCaller {
  get<Body>(path: string): Promise<Body>;
  /** Rents books, and gives the id of the borrow. */
  rent(bookIds: number[]): Promise<string>;
  /** Issues all books of a borrow. */
  issue(borrowId: string): Promise<void>;
}

interface Borrow {
  id: string;
  user: { id: string };
  borrowedBooks: { bookId: number }[];
}

/**
 * Signs in and calls.
 * @throws an Error with the answer where a call is refused
 */
export async function apiCaller(url: string, username: string, password: string): Promise<ApiCaller> {
  let token = '';
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Body;
  };
  ({ token } = await call<{ token: string }>('POST', 'Account/login', { username, password }));
  return {
    get: (path) => call('GET', path),
    rent: async (bookIds) =>
      (await call<{ borrowId: string }>('POST', 'Borrow/rent-books', { bookIds })).borrowId,
    issue: async (borrowId) => {
      const { items } = await call<{ items: Borrow[] }>('GET', 'Borrow?pageNumber=1&pageSize=20');
      const borrow = items.find(({ id }) => id === borrowId);
      if (!borrow) throw new Error(`There is no borrow ${borrowId} among the newest.`);
      await call('POST', `Borrow/issue-books?borrowId=${borrowId}&userId=${borrow.user.id}`, {
        bookIds: borrow.borrowedBooks.map(({ bookId }) => bookId),
      });
    },
  };
}
