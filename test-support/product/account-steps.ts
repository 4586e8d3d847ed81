import { callApi, type CallOptions } from './caller.js';
import type { TestProduct } from './product.js';
import { registration, TEST_PASSWORD, TEST_PASSWORD_HASH } from './registrations.js';
import { waitFor } from '../wait-for.js';

/**
 * What people do about their accounts, over HTTP.
 * @param server the one of the product's servers that they speak to
 */
export function accountSteps(product: TestProduct, server: { url: string } = product) {
  const call = (method: string, path: string, options?: CallOptions) =>
    callApi(server.url, method, path, options);
  const rows = async <Row>(sql: string, ...values: unknown[]) =>
    (await product.database.query(sql, values)).rows as Row[];
  const idOf = async (username: string) =>
    (await rows<{ id: string }>('select id from account where username = $1', username))[0]?.id ?? '';

  /** @param path of a call below `Account/` */
  const post = (path: string, body: unknown = {}, options: CallOptions = {}) =>
    call('POST', `Account/${path}`, { body, ...options });
  const login = (username: string, password = TEST_PASSWORD, options?: CallOptions) =>
    post('login', { username, password }, options);

  /** Writes a confirmed account whose password is as quick to check as can be. */
  async function account(...roles: string[]): Promise<{ id: string; username: string; email: string }> {
    const { id } = await product.account(...roles);
    const [names] = await rows<{ username: string; email: string }>(
      `with over as (delete from session where account_id = $1)
       update account set password_hash = $2 where id = $1 returning username, email`,
      ...[id, TEST_PASSWORD_HASH],
    );
    if (!names) throw new Error('The account is gone.');
    return { id, ...names };
  }

  /**
   * The link in the newest letter that leads to a page, once there are that many such letters.
   * @param page of the client: `confirm-email`
   */
  const link = (email: string, page: string, letters = 1) =>
    waitFor(async () => {
      const links = (await product.letters(email)).flatMap((letter) => letter.links);
      const [newest, ...older] = links.filter((each) => each.includes(`/#/${page}?`));
      return newest !== undefined && older.length === letters - 1 && new URL(newest);
    });

  return {
    ...{ call, rows, idOf, post, login, account, link },
    profile: (token?: string) => call('GET', 'User/profile', { token }),
    confirm: (userId: string, token: string) => post('confirm-email', { userId, token }),

    register: async (changes: Parameters<typeof registration>[0] = {}) => {
      const body = registration(changes);
      const { status } = await post('register', body);
      if (status !== 201) throw new Error(`The registration was answered ${status}.`);
      return { ...body, id: await idOf(body.username) };
    },

    /** Such an account, signed in with its password. */
    signedIn: async (...roles: string[]) => {
      const owner = await account(...roles);
      return { ...owner, token: (await login(owner.username)).body.token as string };
    },

    /** The token of such a link. */
    linkToken: async (...asked: Parameters<typeof link>) =>
      parametersOf(await link(...asked)).get('token') ?? '',
  };
}

/** What a mailed link says beside the page that it leads to. */
export const parametersOf = (link: URL) => new URLSearchParams(link.hash.split('?')[1]);
