import { createHash } from 'node:crypto';
import { z } from 'zod';
import { borrowRowSchema, READ_MODEL_RELEASE, readModelIndexes, readModelTables } from './read-model.js';

describe('the read model', () => {
  it('takes another version when its tables, or what they contain, become others', () => {
    const declared = [
      readModelTables('any'),
      readModelIndexes('any'),
      JSON.stringify(z.toJSONSchema(borrowRowSchema)),
    ]
      .join()
      .replaceAll(/--.*/g, '');
    const digest = createHash('sha256').update(declared).digest('hex').slice(0, 12);
    // Where it differs, take the next version in `READ_MODEL_RELEASE`, and write down the digest here.
    expect({ version: READ_MODEL_RELEASE.version, digest }).toEqual({ version: 1, digest: '5b4e0377a990' });
  });
});
