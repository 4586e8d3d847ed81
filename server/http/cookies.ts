import type { CookieOptions, Request, Response } from 'express';
import type { Settings } from '#platform/settings.js';

type Scheme = Pick<Settings, 'PUBLIC_URL'>;

/** Whether people come by https: by the installation's own address, or by the word of a trusted proxy. */
export function isHttps(request: Request, { PUBLIC_URL }: Scheme): boolean {
  return PUBLIC_URL?.startsWith('https:') === true || request.secure;
}

/** What the browser sent under this very name. */
export function cookieNamed(name: string, request: Request): string | undefined {
  const pair = (request.headers.cookie ?? '')
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/**
 * A cookie that no script reads and no other site's page sends along. By https its name begins with `__Host-`: then no
 * other host of the domain can set it. Browsers take that prefix only from a secure address, so by plain http, where
 * anybody on the way could set it anyhow, the name has none.
 */
export class HostCookie {
  constructor(
    private readonly name: string,
    private readonly settings: Scheme,
  ) {}

  read(request: Request): string | undefined {
    return cookieNamed(this.nameFor(request), request);
  }

  /** @param options.path for plain http; a `__Host-` cookie goes to every path */
  set(
    request: Request,
    response: Response,
    value: string,
    options: Pick<CookieOptions, 'path' | 'maxAge'>,
  ): void {
    const secure = isHttps(request, this.settings);
    response.cookie(this.nameFor(request), value, {
      ...options,
      ...(secure && { path: '/' }),
      httpOnly: true,
      sameSite: 'strict',
      secure,
    });
  }

  private nameFor(request: Request): string {
    return isHttps(request, this.settings) ? `__Host-${this.name}` : this.name;
  }
}
