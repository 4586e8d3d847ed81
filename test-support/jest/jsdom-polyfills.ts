import { TextDecoder, TextEncoder } from 'node:util';

Object.assign(globalThis, { TextEncoder, TextDecoder });
if (typeof window !== 'undefined') {
  if (!('matchMedia' in window))
    (window as Window).matchMedia = (query: string) =>
      ({
        matches: false,
        media: query,
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList;
  if (!('scrollIntoView' in HTMLElement.prototype))
    (HTMLElement.prototype as HTMLElement).scrollIntoView = () => undefined;
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
}

// As much of it as a router needs that fetches nothing itself.
globalThis.Request ??= class {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignal | undefined;
  constructor(url: string, { method = 'GET', signal }: RequestInit = {}) {
    this.url = url;
    this.method = method;
    this.signal = signal ?? undefined;
  }
} as unknown as typeof Request;
