import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceStack } from './logging.js';
import { sharedFolder } from '../test-support/shared.js';

describe('a stack trace', () => {
  const folder = sharedFolder();

  it('names lines of the sources where a compiled file has a map, and what it has elsewhere', () => {
    const file = join(folder, 'server-Ab1.cjs');
    // Line 3 of the file, from column 5 on, is line 8, column 3 of the source.
    const map = { version: 3, file, sources: ['../../server/rent.ts'], names: [], mappings: ';;IAOE' };
    writeFileSync(`${file}.map`, JSON.stringify(map));
    const place = `${folder}/other.js:1:2`;
    expect(
      sourceStack(`Error: it broke\n    at rent (${file}:3:5)\n    at ${place}\n    at node:internal/x:1:1`),
    ).toBe(`Error: it broke\n    at rent (server/rent.ts:8:3)\n    at ${place}\n    at node:internal/x:1:1`);
    expect(sourceStack(undefined)).toBeUndefined();
  });
});
