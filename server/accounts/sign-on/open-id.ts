import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import type * as OpenId from 'openid-client';
import { z } from 'zod';
import type { ProviderWithSecret, SignOnOutcome } from '#contracts/accounts/sign-on-providers.js';
import { providerFetch, SignOnFailed } from './provider-fetch.js';

/** Read at the first sign-on: most starts need none. */
const library = () => import('openid-client');

/** Seconds by which the clocks of two machines may differ. */
const SKEW = 30;
const BACK_CHANNEL_LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';
/** Seconds for which somebody who proved anew who they are may take to come back. */
const ANEW_AGE = 300;
/** Seconds for which a logout token can be handed in. */
const LOGOUT_AGE = 300;

/** What is remembered of a sign-on until the browser comes back. */
export const begunSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.url(),
  /** Whoever is signed in there has to prove anew who they are. */
  isAnew: z.boolean(),
});
type Begun = z.output<typeof begunSchema>;

const claimsSchema = z.looseObject({ sub: z.string().min(1).max(255) });
export type Claims = z.output<typeof claimsSchema>;

/** Somebody whom a provider has vouched for. */
export interface Vouched {
  claims: Claims;
  /** Where they are signed out there. */
  logout: string | undefined;
}

const logoutClaims = z
  .object({
    sub: z.string().optional(),
    sid: z.string().optional(),
    jti: z.string().min(1),
    iat: z.number(),
    nonce: z.never().optional(),
    events: z.object({ [BACK_CHANNEL_LOGOUT]: z.looseObject({}) }),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);
export type LogoutClaims = z.output<typeof logoutClaims>;

/**
 * A provider, asked anew each time: what it says of itself and its keys are those of now. All that it is asked throws
 * SignOnFailed.
 */
export class OpenIdProvider {
  private constructor(
    private readonly openId: typeof OpenId,
    private readonly config: OpenId.Configuration,
    private readonly provider: ProviderWithSecret,
    private readonly fetch: ReturnType<typeof providerFetch>,
  ) {}

  static async find(
    provider: ProviderWithSecret,
    isNamed: (address: URL) => boolean,
  ): Promise<OpenIdProvider> {
    const openId = await library();
    const { issuer, clientId, secret } = provider;
    const fetch = providerFetch(isNamed);
    const server = new URL(issuer);
    const basic = openId.ClientSecretBasic(secret);
    const post = openId.ClientSecretPost(secret);
    const authentication: OpenId.ClientAuth = (as, ...more) => {
      const ways = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      (ways.includes('client_secret_basic') ? basic : post)(as, ...more);
    };
    return saidOf(async () => {
      const config = await openId.discovery(
        server,
        clientId,
        { [openId.clockTolerance]: SKEW },
        secret === '' ? openId.None() : authentication,
        {
          // Whether an address has to be encrypted, each request decides.
          execute: [openId.enableNonRepudiationChecks, openId.allowInsecureRequests],
          [openId.customFetch]: fetch,
        },
      );
      // Where one address stands for any organisation, anybody could come.
      if (new URL(config.serverMetadata().issuer).href !== server.href) {
        throw new SignOnFailed('other-issuer', 'issuer');
      }
      return new OpenIdProvider(openId, config, provider, fetch);
    }, 'no-openid');
  }

  /** Where a browser signs in, and what has to be remembered of it. */
  async begin(
    redirectUri: string,
    language: string,
    isAnew: boolean,
  ): Promise<{ begun: Begun; address: string }> {
    const { openId, config } = this;
    const [state, nonce] = [openId.randomState(), openId.randomNonce()];
    const verifier = openId.randomPKCECodeVerifier();
    const address = openId.buildAuthorizationUrl(config, {
      ...{ redirect_uri: redirectUri, scope: this.provider.scopes, state, nonce, ui_locales: language },
      code_challenge: await openId.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isAnew && { prompt: 'login', max_age: '0' }),
    });
    refuseOther(address);
    return { begun: { state, nonce, verifier, redirectUri, isAnew }, address: address.href };
  }

  /** Redeems what the browser came back with. */
  async complete(begun: Begun, returned: Record<string, string | undefined>): Promise<Vouched> {
    const { openId, config } = this;
    const address = new URL(begun.redirectUri);
    for (const [name, value] of Object.entries(returned)) if (value) address.searchParams.set(name, value);
    return saidOf(async () => {
      const tokens = await openId.authorizationCodeGrant(config, address, {
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        pkceCodeVerifier: begun.verifier,
        idTokenExpected: true,
        ...(begun.isAnew && { maxAge: ANEW_AGE }),
      });
      const proven = claimsSchema.parse(tokens.claims());
      const { userinfo_endpoint: more, end_session_endpoint: end } = config.serverMetadata();
      const told = more ? await openId.fetchUserInfo(config, tokens.access_token, proven.sub) : {};
      const home = new URL('/', begun.redirectUri).href;
      const logout = end && openId.buildEndSessionUrl(config, { post_logout_redirect_uri: home }).href;
      if (logout) refuseOther(new URL(logout));
      return { claims: { ...told, ...proven }, logout };
    }, 'bad-answer');
  }

  /** What a logout token says; once it is used, its `jti` is used up. */
  async readLogout(token: string): Promise<LogoutClaims> {
    const { issuer } = this.config.serverMetadata();
    return saidOf(async () => {
      const { payload } = await jwtVerify(token, await this.keys(), {
        ...{ issuer, audience: this.provider.clientId, clockTolerance: SKEW, maxTokenAge: LOGOUT_AGE },
      });
      return logoutClaims.parse(payload);
    }, 'bad-answer');
  }

  /** Asks for all that a sign-in needs, and whether the client is known: by a code that there cannot be. */
  async try(redirectUri: string): Promise<void> {
    const { openId, config } = this;
    const about = config.serverMetadata();
    await saidOf(() => this.keys(), 'lacking');
    const isWhole =
      about.authorization_endpoint &&
      about.token_endpoint &&
      (about.response_types_supported ?? ['code']).includes('code') &&
      (about.code_challenge_methods_supported ?? ['S256']).includes('S256');
    if (!isWhole) throw new SignOnFailed('lacking', 'code');
    const grant = {
      code: 'a-trial',
      redirect_uri: redirectUri,
      code_verifier: openId.randomPKCECodeVerifier(),
    };
    try {
      await openId.genericGrantRequest(config, 'authorization_code', grant);
    } catch (error) {
      if (error instanceof openId.ResponseBodyError && error.error === 'invalid_grant') return;
      throw failureOf(error, 'client-refused');
    }
  }

  private async keys(): Promise<ReturnType<typeof createLocalJWKSet>> {
    const { jwks_uri: address } = this.config.serverMetadata();
    if (address === undefined) throw new SignOnFailed('lacking', 'jwks_uri');
    const answer = await this.fetch(address, {});
    return createLocalJWKSet((await answer.json()) as JSONWebKeySet);
  }
}

/** Browsers are led to addresses of the web alone. */
function refuseOther({ protocol }: URL): void {
  if (!/^https?:$/.test(protocol)) throw new SignOnFailed('lacking', 'address');
}

/** @param usually what is wrong where the error does not say more */
async function saidOf<Result>(work: () => Promise<Result>, usually: SignOnOutcome): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error, usually);
  }
}

/** Codes that stand for something else than usual. */
const OUTCOME_OF: Record<string, SignOnOutcome> = {
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'other-issuer',
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: 'client-refused',
  invalid_client: 'client-refused',
  unauthorized_client: 'client-refused',
  access_denied: 'denied',
  server_error: 'unreachable',
  temporarily_unavailable: 'unreachable',
};

/** Without what was answered, which may name somebody. */
function failureOf(error: unknown, usually: SignOnOutcome): SignOnFailed {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof SignOnFailed) return each;
    const { error: told, code } = each as { error?: unknown; code?: unknown };
    const reason = [told, code].find((named) => typeof named === 'string');
    if (reason) return new SignOnFailed(OUTCOME_OF[reason] ?? usually, reason.slice(0, 60));
  }
  return new SignOnFailed(usually, error instanceof Error ? error.name : 'unknown');
}
