import { cleanCode, codesOfFile } from './scan-queue.js';

describe('a scanner’s file', () => {
  it('has one code a line, however its lines end', () => {
    expect(codesOfFile('\uFEFF4711-2-3\r\n4711-3-1\n\n 9-1-4 \r12-1-1')).toEqual([
      ...['4711-2-3', '4711-3-1', '9-1-4', '12-1-1'],
    ]);
  });

  it('may be a table with the codes in any column, and a head', () => {
    expect(codesOfFile('Date,Time,Code\n2026-11-22,10:15,"4711-2-3"\n2026-11-22,10:16,4711-3-1')).toEqual([
      ...['4711-2-3', '4711-3-1'],
    ]);
    expect(codesOfFile('4711-2-3;2\n9-1-4;1')).toEqual(['4711-2-3', '9-1-4']);
  });

  it('keeps what is no code of a copy: somebody has to see it', () => {
    expect(codesOfFile('9788308049969\nhello')).toEqual(['9788308049969', 'hello']);
    expect(cleanCode(` a\u0000b\u202e${'x'.repeat(90)}`)).toHaveLength(60);
  });
});
