import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { areCalls, isCall, type Call } from '#contracts/call.js';
import { createLogger } from '#platform/logging.js';
import { packageRoot } from '#platform/package-root.js';
import { readSettings, type ResolvedSettings } from '#platform/settings.js';
import { AppModule } from '../app.module.js';
import { handlersOf } from './api-routes.js';

const settings = {
  ...readSettings({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
    // The provider's own call is there only where it is set.
    STRIPE_SECRET_KEY: 'sk_test_none',
    STRIPE_WEBHOOK_SECRET: 'whsec_none',
    JWT_SECRET: 'only-for-tests-only-for-tests-only-for-tests',
  }),
} as ResolvedSettings;

/** The calls that the contracts declare, with where. */
async function declaredCalls(): Promise<Map<Call, string>> {
  const contracts = join(packageRoot(), 'contracts');
  const files = readdirSync(contracts, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.spec)\.ts$/.test(file),
  );
  const calls = new Map<Call, string>();
  for (const file of files) {
    const module = (await import(pathToFileURL(join(contracts, file)).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module))
      for (const each of areCalls(value) ? Object.values(value) : [value])
        if (isCall(each)) calls.set(each, `${file} ${name}`);
  }
  return calls;
}

describe('the calls that are declared, and the routes of the app', () => {
  let declared: Map<Call, string>;
  let handlers: ReturnType<typeof handlersOf>;
  let app: INestApplication;

  beforeAll(async () => {
    declared = await declaredCalls();
    // Of the modules nothing is made: their metadata is all that is looked at.
    app = await NestFactory.create(AppModule.with(settings, createLogger('silent')), {
      preview: true,
      logger: false,
    });
    handlers = handlersOf(app);
  });
  afterAll(() => app.close());

  it('agree: each call is served once', () => {
    const served = handlers.flatMap(({ call }) => call ?? []);
    expect([...declared].filter(([call]) => !served.includes(call)).map(([, where]) => where)).toEqual([]);
    expect(new Set(served).size).toBe(served.length);
  });

  // The sandbox of payments, which stands in for the provider where none is set, has pages besides.
  it('are all that there is', () => {
    const others = handlers.filter(({ call }) => !call).map(({ controller }) => controller.name);
    expect(others).toEqual([]);
  });

  it('name each part of their paths', () => {
    for (const [{ path, params }, where] of declared) {
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      const schema = params?.toJSONSchema({ io: 'input', unrepresentable: 'any' });
      expect([where, Object.keys(schema?.properties ?? {})]).toEqual([where, names]);
    }
  });
});
