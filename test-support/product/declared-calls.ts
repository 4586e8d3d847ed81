import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { areCalls, isCall, type Call } from '#contracts/call.js';
import { packageRoot } from '#platform/package-root.js';

/** The calls that the contracts declare. */
export async function declaredCalls(): Promise<Set<Call>> {
  const contracts = join(packageRoot(), 'contracts');
  const files = readdirSync(contracts, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.spec)\.ts$/.test(file),
  );
  const calls = new Set<Call>();
  for (const file of files) {
    const module = (await import(pathToFileURL(join(contracts, file)).href)) as Record<string, unknown>;
    for (const value of Object.values(module))
      for (const each of areCalls(value) ? Object.values(value) : [value]) if (isCall(each)) calls.add(each);
  }
  return calls;
}
