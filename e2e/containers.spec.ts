import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSettings, requireAddresses } from '#platform/settings.js';

const ROOT = resolve(import.meta.dirname, '..');

interface Service {
  image: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  networks?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  deploy?: { resources: { limits: { cpus: string; memory: string } } };
}

interface Compose {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
}

const compose = readCompose();
const services = Object.entries(compose?.services ?? {});
/** The processes of the product itself. */
const ours = services.filter(([, { build }]) => build !== undefined);
const text = (file: string) => readFileSync(join(ROOT, file), 'utf8');

// The YAML reader comes with the linter: where it does not any more, these tests say that they were left out.
(compose ? describe : describe.skip)('docker-compose.yml', () => {
  it('has what several processes need', () => {
    expect(ours.map(([name]) => name)).toEqual([
      'server-1',
      'server-2',
      'projections-1',
      'projections-2',
      'worker',
    ]);
    expect(services.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'proxy',
        'postgres',
        'redis',
        'eventstore',
        'mail',
        'eventstore-1',
        'eventstore-3',
      ]),
    );
  });

  it.each(services)(
    '%s is pinned, bounded, watched and without rights that it does not need',
    (_name, service) => {
      expect(service.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        deploy: {
          resources: { limits: { cpus: expect.any(String), memory: expect.stringMatching(/^\d+[mg]$/) } },
        },
      });
      // Ours are watched as their image says.
      if (service.build === undefined) expect(service.healthcheck?.test.length).toBeGreaterThan(1);
    },
  );

  it('names nothing that is not there', () => {
    const named = (part: (service: Service) => string[] | undefined) =>
      new Set(services.flatMap(([, each]) => part(each) ?? []));
    for (const name of named(({ secrets }) => secrets)) expect(compose?.secrets).toHaveProperty(name);
    for (const name of named(({ networks }) => networks)) expect(compose?.networks).toHaveProperty(name);
    for (const name of named(({ depends_on }) => Object.keys(depends_on ?? {})))
      expect(compose?.services).toHaveProperty(name);
    for (const volume of named(({ volumes }) => volumes)) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) expect(existsSync(join(ROOT, source))).toBe(true);
      else expect(compose?.volumes).toHaveProperty([source]);
    }
    for (const [, { command }] of ours) {
      const source = command?.[0]?.replace(/^dist\/(.*)\.js$/, '$1.ts') ?? 'server/main.ts';
      expect(existsSync(join(ROOT, source))).toBe(true);
    }
  });

  it.each(ours)('%s gets settings that hold', (_name, service) => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-secrets-'));
    try {
      const held: Record<string, string> = {
        database_url: 'postgres://lectern:x@postgres/lectern',
        jwt_secret: 'x'.repeat(64),
      };
      for (const [name, value] of Object.entries(held)) writeFileSync(join(folder, name), value);
      const environment = Object.fromEntries(
        Object.entries(service.environment ?? {}).map(([name, value]) => [
          name,
          value.replace('/run/secrets', folder).replace(/\$\{\w+:-(.*)\}$/, '$1'),
        ]),
      );
      const secrets = Object.values(service.environment ?? {}).filter((value) =>
        value.startsWith('/run/secrets/'),
      );
      expect(secrets.map((path) => path.split('/').at(-1)).sort()).toEqual(
        [...(service.secrets ?? [])].sort(),
      );
      const settings = requireAddresses(
        readSettings({ NODE_ENV: 'production', HOST: '0.0.0.0', ...environment }),
      );
      expect(settings.REDIS_URL).toBe('redis://redis:6379');
      expect(settings.JOBS).toBe(service.command === undefined ? 'off' : 'on');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('sends people to the servers that there are, and no deeper', () => {
    const upstreams = /^\s*to (.+)$/m.exec(text('docker/Caddyfile'))?.[1]?.split(' ');
    const servers = ours.filter(([, { command }]) => command === undefined).map(([name]) => `${name}:3000`);
    expect(upstreams).toEqual(servers);
    expect(text('docker/Caddyfile')).toContain('health_uri /readyz');
  });
});

const installed = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const compositor = [['docker', 'compose'], ['docker-compose']].find(([command = '', ...args]) =>
  installed(command, ...args, 'version'),
);
(compositor ? it : it.skip)('docker compose understands its file', () => {
  const [command = '', ...args] = compositor ?? [];
  // Neither needs an engine for this.
  for (const profile of [[], ['--profile', 'cluster']]) {
    const told = spawnSync(command, [...args, ...profile, 'config', '--quiet'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(told).toMatchObject({ status: 0, stderr: '' });
  }
});

(installed('caddy', 'version') ? it : it.skip)('Caddy understands its file', () => {
  const args = ['adapt', '--config', join(ROOT, 'docker/Caddyfile'), '--adapter', 'caddyfile'];
  const told = spawnSync('caddy', args, { encoding: 'utf8' });
  expect(told.status).toBe(0);
  // Warnings too, for instance of its form.
  expect(told.stderr).not.toMatch(/error|warn/i);
});

it('makes secrets once, which the users of the containers can read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-secrets-'));
  try {
    for (const file of ['make-secrets.sh', 'Caddyfile'])
      copyFileSync(join(ROOT, 'docker', file), join(folder, file));
    chmodSync(join(folder, 'Caddyfile'), 0o600);
    const make = () => {
      const told = spawnSync('sh', ['-c', 'umask 077; sh ./make-secrets.sh'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(told).toMatchObject({ status: 0, stdout: '', stderr: '' });
      const names = readdirSync(join(folder, 'secrets')).sort();
      expect(names.map((name) => `secrets/${name}`)).toEqual(
        [...text('docker-compose.yml').matchAll(/\.\/docker\/(secrets\/\w+)/g)]
          .map(([, file]) => file)
          .sort(),
      );
      return names.map((name) => readFileSync(join(folder, 'secrets', name), 'utf8'));
    };
    const made = make();
    expect(make()).toEqual(made);
    const [url = '', jwt, password = ''] = made;
    expect(new URL(url).password).toBe(password);
    expect(new Set([jwt, password]).size).toBe(2);
    for (const secret of [jwt, password]) expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const mode = (file: string) => statSync(join(folder, file)).mode & 0o777;
    expect(mode('secrets')).toBe(0o700);
    expect(mode('secrets/jwt_secret')).toBe(0o444);
    expect(mode('Caddyfile')).toBe(0o644);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function readCompose(): Compose | undefined {
  try {
    const yaml = createRequire(import.meta.url)('js-yaml') as {
      load(source: string, options: { schema: unknown }): unknown;
      YAML11_SCHEMA: unknown;
    };
    // The older schema knows `<<`, as docker compose does.
    const schema = yaml.YAML11_SCHEMA;
    return yaml.load(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { schema }) as Compose;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
