import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Call } from '#contracts/call.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, type ResolvedSettings } from '#platform/settings.js';
import { declaredCalls } from '../../test-support/declared-calls.js';
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
