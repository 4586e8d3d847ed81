import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** It guards nothing but a benchmark's own database on loopback. */
const SECRET = 'a secret of the benchmark alone';

const claims = z.object({ sub: z.guid(), roles: z.array(z.string()), exp: z.number() });
/** Whose token it is. */
export type RivalCaller = z.infer<typeof claims>;

const sealed = (text: string) => createHmac('sha256', SECRET).update(text).digest();
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON Web Token (HS256), good for a day. */
export function rivalToken(sub: string, roles: readonly string[]): string {
  const exp = Math.floor(Date.now() / 1000) + 86_400;
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub, roles, exp })}`;
  return `${text}.${sealed(text).toString('base64url')}`;
}

/** @returns nothing for a token that is not ours, or too old */
export function verified(token: string): RivalCaller | undefined {
  const [head = '', payload = '', seal = ''] = token.split('.');
  const expected = sealed(`${head}.${payload}`);
  const given = Buffer.from(seal, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const parsed = claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  return parsed.success && parsed.data.exp * 1000 > Date.now() ? parsed.data : undefined;
}
