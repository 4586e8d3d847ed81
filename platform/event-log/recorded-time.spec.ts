import fc from 'fast-check';
import { asFirstRecorded, firstRecorded, withRecordedTime } from './recorded-time.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';

const AT = new Date('2026-11-22T12:13:14.156Z');
const NOW = new Date('2027-01-01T00:00:00.000Z');
const carried = (text: string) => withRecordedTime({ metadata: Buffer.from(text), at: AT });

describe('the time of recording that a move carries along', () => {
  it('gives back any bytes', () => {
    forAll([fc.uint8Array({ maxLength: 80 })], {}, (bytes) => {
      const metadata = Buffer.from(bytes);
      expect(firstRecorded(withRecordedTime({ metadata, at: AT }))).toEqual({ metadata, at: AT });
    });
    const odd = fc.constantFrom('{ }', ' {"a":1} ', '{"a":1}\n', '{"a":{}}', '{"a":1e2,"a":2}', '');
    forAll([fc.oneof(fc.json(), odd)], {}, (text) => {
      const stored = carried(text);
      expect(firstRecorded(stored)).toEqual({ metadata: Buffer.from(text), at: AT });
      expect(JSON.parse(stored.toString())).toMatchObject({ 'lectern.recordedAt': AT.toISOString() });
    });
  });

  it('is not seen in what was never moved', () => {
    expect(firstRecorded(Buffer.from('{"actor":"x"}'))).toBeUndefined();
    expect(
      firstRecorded(Buffer.from('{"lectern.recordedAt":"yesterday, at half past nine"}')),
    ).toBeUndefined();
    const unmoved = { metadata: { actor: 'x' }, created: NOW };
    expect(asFirstRecorded(unmoved)).toEqual(unmoved);
  });

  it.each(['{"actor":"x","$correlationId":"c"}', '{}', '', '[1]', 'no JSON', ' {"a":1} '])(
    'is what a reader gets, with the metadata as %j was parsed',
    (text) => {
      const asParsed = (bytes: Buffer): unknown => {
        if (bytes.length === 0) return undefined;
        try {
          return JSON.parse(bytes.toString());
        } catch {
          return new Uint8Array(bytes);
        }
      };
      const read = asFirstRecorded({ metadata: asParsed(carried(text)), created: NOW });
      expect(read).toEqual({ metadata: asParsed(Buffer.from(text)), created: AT });
    },
  );
});
