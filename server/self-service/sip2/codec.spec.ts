import fc from 'fast-check';
import { forAll } from '../../../test-support/arbitraries/for-all.js';
import { formatMessage, formatResponse, parseMessage, parseRequest } from './codec.js';
import { FIELDS, FIXED, REPEATED, REQUESTS, RESPONSES, SUPPORTED, type FixedName } from './messages.js';

type Table = (typeof REQUESTS)[keyof typeof REQUESTS] | (typeof RESPONSES)[keyof typeof RESPONSES];
// The answer to two requests is one.
const ALL: Table[] = [...new Set<Table>([...Object.values(REQUESTS), ...Object.values(RESPONSES)])];

const text = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((any) => any.replace(/[|\p{Cc}\u2028\u2029]/gu, ''));
const ascii = (length: number) =>
  fc.string({ unit: fc.constantFrom(...' 0123456789YNAZ+-*.'), minLength: length, maxLength: length });

function fixedField(name: FixedName) {
  const kind: number | readonly string[] = FIXED[name];
  return typeof kind === 'number' ? ascii(kind) : fc.constantFrom(...kind);
}

/** Values of a message, each of what may be left out there or not. */
function valuesOf({ fixed, fields }: Table) {
  const required: Record<string, fc.Arbitrary<unknown>> = {};
  const optional: Record<string, fc.Arbitrary<unknown>> = {};
  for (const name of fixed) required[name] = fixedField(name);
  for (const field of fields) {
    const name = field.replace('?', '');
    const isRepeated = REPEATED.some((each) => each === name);
    (field.endsWith('?') ? optional : required)[name] = isRepeated
      ? fc.array(text, { minLength: 1, maxLength: 3 })
      : text;
  }
  return fc
    .tuple(fc.record(required), fc.record(optional, { requiredKeys: [] }))
    .map(([must, may]) => ({ ...must, ...may }) as Record<string, string | string[]>);
}

/**
 * The protocol's own tables once more, written from its text: the length of the fixed fields after the code, what is required, and
 * what may be there.
 */
const BY_THE_BOOK: Record<string, [fixed: number, required: string, optional: string]> = {
  '01': [1 + 18, 'AO AL AA AC', ''],
  '09': [1 + 18 + 18, 'AP AO AB AC', 'CH BI'],
  '11': [1 + 1 + 18 + 18, 'AO AA AB AC', 'CH AD BO BI'],
  '15': [1 + 18, 'AO AA', 'BW BS BY AD AB AJ AC BO'],
  '17': [18, 'AO AB', 'AC'],
  '19': [18, 'AO AB CH', 'AC'],
  '23': [3 + 18, 'AO AA AC', 'AD'],
  '25': [18, 'AO AA', 'AC AD'],
  '29': [1 + 1 + 18 + 18, 'AO AA', 'AD AB AJ AC CH BO'],
  '35': [18, 'AO AA', 'AC AD'],
  '37': [18 + 2 + 2 + 3, 'BV AO AA', 'AC AD CG BK'],
  '63': [3 + 18 + 10, 'AO AA', 'AC AD BP BQ'],
  '65': [18, 'AO AA', 'AD AC BO'],
  '93': [1 + 1, 'CN CO', 'CP'],
  '97': [0, '', ''],
  '99': [1 + 3 + 4, '', ''],
  '10': [1 + 1 + 1 + 1 + 18, 'AO AB AQ', 'AJ CL AA CK CH CS CT CV CY DA AF AG'],
  '12': [1 + 1 + 1 + 1 + 18, 'AO AA AB AJ AH', 'BT CI BH BV CK CH BK AF AG'],
  '16': [1 + 1 + 18, 'AO AA', 'BW BR BS AB AJ AF AG'],
  '18': [2 + 2 + 2 + 18, 'AB AJ', 'CF AH CJ CM BG BH BV CK AQ AP CH AF AG'],
  '20': [1 + 18, 'AB', 'AJ CH AF AG'],
  '24': [14 + 3 + 18, 'AO AA AE', 'BL CQ BH BV AF AG'],
  '26': [14 + 3 + 18, 'AO AA AE', 'BL CQ AF AG'],
  '30': [1 + 1 + 1 + 1 + 18, 'AO AA AB AJ AH', 'BT CI BH BV CK CH BK AF AG'],
  '36': [1 + 18, 'AO AA', 'AF AG'],
  '38': [1 + 18, 'AO AA', 'BK AF AG'],
  '64': [14 + 3 + 18 + 6 * 4, 'AO AA AE', 'BZ CA CB BL CQ BH BV CC AS AT AU AV BU CD BD BE BF AF AG'],
  '66': [1 + 4 + 4 + 18, 'AO', 'BM BN AF AG'],
  '94': [1, '', ''],
  '96': [0, '', ''],
  '98': [6 + 3 + 3 + 18 + 4, 'AO BX', 'AM AN AF AG'],
};

describe('the tables', () => {
  it('have each message once', () => {
    expect(ALL.map(({ code }) => code).sort()).toEqual(Object.keys(BY_THE_BOOK).sort());
  });

  it.each(ALL.map((table) => [table.code, table] as const))(
    'agree with the protocol on message %s',
    (code, table) => {
      const [length, required, optional] = BY_THE_BOOK[code] ?? [NaN, '', ''];
      const ids = (isOptional: boolean) =>
        table.fields
          .filter((field) => field.endsWith('?') === isOptional)
          .map((field) => FIELDS[field.replace('?', '') as keyof typeof FIELDS])
          .sort();
      const named = (text: string) => text.split(' ').filter(Boolean).sort();
      const lengths = table.fixed.map((name) => {
        const kind: number | readonly string[] = FIXED[name];
        return typeof kind === 'number' ? kind : 1;
      });
      expect(lengths.reduce((sum, each) => sum + each, 0)).toBe(length);
      expect(ids(false)).toEqual(named(required));
      expect(ids(true)).toEqual(named(optional));
    },
  );

  it('have all sixteen requests of the protocol, each with its answer', () => {
    expect(SUPPORTED).toBe('Y'.repeat(16));
    expect(Object.keys(RESPONSES).sort()).toEqual(Object.keys(REQUESTS).sort());
  });
});

describe.each(ALL.map((table) => [table.code, table] as const))('message %s', (code, table) => {
  it('is read as it was written', () => {
    forAll([valuesOf(table)], { numRuns: 60 }, (values) => {
      const written = formatMessage(table, values);
      expect(written.slice(0, 2)).toBe(code);
      expect(written).not.toMatch(/[\r\n]/);
      expect(parseMessage(table, written)).toEqual(values);
    });
  });
});

describe('what arrives', () => {
  it('is never the end of the server', () => {
    const begun = fc.constantFrom(...ALL.map((table) => table.code));
    forAll(
      [
        fc.oneof(
          fc.string(),
          fc.tuple(begun, fc.string()).map((parts) => parts.join('')),
        ),
      ],
      {},
      (any) => {
        parseRequest(any);
      },
    );
  });

  it('is a request by its code', () => {
    expect(parseRequest('9300CNgate|COsecret|CPdoor|')).toEqual({
      ...{ name: 'login', userIdAlgorithm: '0', passwordAlgorithm: '0' },
      ...{ loginUserId: 'gate', loginPassword: 'secret', locationCode: 'door' },
    });
    expect(parseRequest('9900802.00')).toMatchObject({
      name: 'status',
      maxPrintWidth: '080',
      protocolVersion: '2.00',
    });
  });

  it('may lack fields that are required, have others, and have them in any order', () => {
    const date = '20261127    101500';
    expect(parseRequest(`11NN${date}${date}AB12-3-4|ZZnobody knows|AA777|`)).toMatchObject({
      ...{ name: 'checkout', patronId: '777', itemId: '12-3-4', institutionId: '', terminalPassword: '' },
      nbDueDate: date,
    });
  });

  it('is no request where it ends too early, or nobody knows its code', () => {
    for (const text of ['', '1', '11YN2026', '9', '99008', '00', 'GET / HTTP/1.1', '02N', '12']) {
      expect(parseRequest(text)).toBeUndefined();
    }
  });
});

describe('what is answered', () => {
  it('cannot be broken by a title', () => {
    const answer = formatResponse('hold', {
      ...{
        ok: '1',
        available: 'N',
        transactionDate: '20261127    101500',
        institutionId: 'L',
        patronId: '7',
      },
      titleId: 'A|AFYou are rich\r\n941',
    });
    expect(answer).toBe('161N20261127    101500AOL|AA7|AJA AFYou are rich 941|');
  });

  it('has its fixed fields in full', () => {
    const short = {
      ok: '1',
      available: 'N',
      transactionDate: '2026',
      institutionId: '',
      patronId: '',
    } as const;
    expect(() => formatResponse('hold', short)).toThrow('18 characters');
  });
});
