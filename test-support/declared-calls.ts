import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { areCalls, isCall, type Call } from '#contracts/call.js';
import { packageRoot } from '#platform/package-root.js';

/** The calls that the contracts declare, with where. */
export async function declaredCalls(): Promise<Map<Call, string>> {
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
