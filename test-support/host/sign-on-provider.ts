import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { Provider, type ClientMetadata, type JWK } from 'oidc-provider';

export const SIGN_ON_SECRET = 'known to the library and its provider';

/** Signs tokens in a provider's name without being it. */
let forgersKey: ReturnType<typeof newKey> | undefined;

type Tamper = (claims: JWTPayload) => Promise<string> | string;

/** A provider of OpenID Connect, where whoever comes is somebody whom the test names. */
export interface SignOnProvider {
  issuer: string;
  /** By what they are called there; every other is unknown. */
  people: Record<string, Record<string, unknown>>;
  /** Who signs in there, without being asked; nobody: whoever comes sees a page with a button for each. */
  visitor: string | undefined;
  /** In place of the ID token that it would give. */
  tamper: Tamper | undefined;
  /** What each further answer waits for. */
  wait: Promise<unknown> | undefined;
  /** A token of the provider's own key, or of another one. */
  signed(claims: JWTPayload, options?: { isForged?: boolean }): Promise<string>;
  unsigned(claims: JWTPayload): string;
  /** Another key from now on. */
  rotate(): Promise<void>;
  /** Ends the session of the visitor there; the provider tells its clients. */
  browser(): SignOnBrowser;
  close(): Promise<void>;
}

/** Somebody's browser at the provider, as far as it goes there: redirects and cookies. */
export interface SignOnBrowser {
  /** Follows an address until it leads away from the provider. */
  follow(address: string): Promise<URL>;
}

/** @param clients of the library, each with its addresses there */
export async function startSignOnProvider(
  clients: (issuer: string) => ClientMetadata[],
): Promise<SignOnProvider> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let key = await newKey();
  const provider = new Provider(issuer, {
    // The provider asks for arrays of its own realm; those of a test belong to jest's.
    clients: structuredClone(clients(issuer)),
    jwks: { keys: [key.jwk] },
    cookies: { keys: ['only for tests'] },
    claims: {
      openid: ['sub'],
      profile: [
        'given_name',
        'family_name',
        'birthdate',
        'gender',
        'preferred_username',
        'groups',
        'card',
        'amr',
      ],
      email: ['email', 'email_verified'],
      address: ['address'],
    },
    ttl: {
      Interaction: 600,
      Session: 600,
      Grant: 600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
    },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    findAccount: (_context, id) =>
      self.people[id] && { accountId: id, claims: () => ({ sub: id, ...self.people[id] }) },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    renderError: (context, { error }) => void (context.body = error),
  });
  provider.use(async (context, next) => {
    await self.wait;
    await next();
    const body = context.body as { id_token?: string; keys?: unknown[] } | undefined;
    if (context.path === '/jwks' && body)
      body.keys = [key.jwk].map(({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...shown }) => shown);
    if (context.path !== '/token' || !body?.id_token) return;
    const claims = decodeJwt(body.id_token);
    body.id_token = await (self.tamper ? self.tamper(claims) : self.signed(claims));
  });
  const callback = provider.callback();

  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const { prompt, session, params } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      const accountId = self.visitor ?? new URL(request.url ?? '', issuer).searchParams.get('as');
      if (!accountId) return void response.setHeader('content-type', 'text/html').end(pageFor(self.people));
      return provider.interactionFinished(request, response, { login: { accountId } });
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? '',
      clientId: String(params['client_id']),
    });
    grant.addOIDCScope(String(params['scope']));
    const grantId = await grant.save();
    return provider.interactionFinished(request, response, { consent: { grantId } });
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isInteraction = request.url?.startsWith('/interaction/');
    const answering = isInteraction ? interact(request, response) : callback(request, response);
    answering.catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  const self: SignOnProvider = {
    issuer,
    people: {},
    visitor: undefined,
    tamper: undefined,
    wait: undefined,
    signed: async (claims, { isForged = false } = {}) => {
      const { privateKey } = isForged ? await (forgersKey ??= newKey()) : key;
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: String(key.jwk.kid) })
        .sign(privateKey);
    },
    unsigned: (claims) => new UnsecuredJWT(claims).encode(),
    rotate: async () => void (key = await newKey()),
    browser: () => {
      const jar = new Map<string, string>();
      return {
        follow: async (first) => {
          let address = new URL(first);
          for (let steps = 0; steps < 12 && address.origin === issuer; steps += 1) {
            const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
            const signal = AbortSignal.timeout(10_000);
            const response = await fetch(address, { redirect: 'manual', headers: { cookie }, signal });
            for (const set of response.headers.getSetCookie()) {
              const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
              jar.set(name, value);
            }
            const to = response.headers.get('location');
            if (to === null)
              throw new Error(`${address.pathname}: ${response.status} ${await response.text()}`);
            address = new URL(to, address);
          }
          return address;
        },
      };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return self;
}

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), use: 'sig', alg: 'RS256' } as JWK;
  return { privateKey, jwk };
}

const pageFor = (people: object) =>
  `<title>The school</title><h1>Who are you?</h1>${Object.keys(people)
    .map((name) => `<p><a href="?as=${name}">${name}</a></p>`)
    .join('')}`;
