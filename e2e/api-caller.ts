/** Somebody who uses the product without a browser. */
export interface ApiCaller {
  get<Body>(path: string): Promise<Body>;
  post<Body>(path: string, body: unknown): Promise<Body>;
  put<Body>(path: string, body: unknown): Promise<Body>;
  /** Sends a text as the file of a form. */
  upload<Body>(path: string, field: string, name: string, text: string): Promise<Body>;
  /** Rents books, and gives the id of the borrow. */
  rent(bookIds: number[]): Promise<string>;
  /** Issues all books of a borrow, or takes them back. */
  issue(borrowId: string): Promise<void>;
  takeBack(borrowId: string): Promise<void>;
}

interface Borrow {
  id: string;
  user: { id: string };
  borrowedBooks: { bookId: number }[];
}

/** One who has not signed in. */
export function guestCaller(url: string, token?: string): Pick<ApiCaller, 'get' | 'post' | 'put'> {
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
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
  };
}

/**
 * Signs in and calls.
 * @throws an Error with the answer where a call is refused
 */
export async function apiCaller(url: string, username: string, password: string): Promise<ApiCaller> {
  const { token } = await guestCaller(url).post<{ token: string }>('Account/login', { username, password });
  const { get, post, put } = guestCaller(url, token);
  const atTheDesk = async (call: string, borrowId: string) => {
    // Others may have rented since, more than a page of them.
    const { items } = await get<{ items: Borrow[] }>('Borrow?pageNumber=1&pageSize=100');
    const borrow = items.find(({ id }) => id === borrowId);
    if (!borrow) throw new Error(`There is no borrow ${borrowId} among the newest.`);
    await post(`Borrow/${call}?borrowId=${borrowId}&userId=${borrow.user.id}`, {
      bookIds: borrow.borrowedBooks.map(({ bookId }) => bookId),
    });
  };
  return {
    get,
    post,
    put,
    upload: async <Body>(path: string, field: string, name: string, text: string) => {
      const body = new FormData();
      body.set(field, new Blob([text]), name);
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${url}/api/${path}`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Body;
    },
    rent: async (bookIds) => (await post<{ borrowId: string }>('Borrow/rent-books', { bookIds })).borrowId,
    issue: (borrowId) => atTheDesk('issue-books', borrowId),
    takeBack: (borrowId) => atTheDesk('return-books', borrowId),
  };
}
