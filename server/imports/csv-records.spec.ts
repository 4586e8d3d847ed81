import fc from 'fast-check';
import { likelyDelimiter, readCsv, type CsvRecord } from './csv-records.js';
import { forAllInTime } from '../../test-support/arbitraries/for-all.js';

async function read(text: string, chunk = 7, delimiter?: string): Promise<CsvRecord[]> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += chunk) yield text.slice(at, at + chunk);
  }
  const records: CsvRecord[] = [];
  for await (const record of readCsv(chunks(), delimiter)) records.push(record);
  return records;
}

const cells = (records: CsvRecord[]) =>
  records.map((record) => ('cells' in record ? record.cells : record.refused));

describe('CSV records', () => {
  it('reads quoted cells with delimiters, quotation marks and ends of lines in them, and tells the lines', async () => {
    expect(await read('\uFEFFa,b\r\n"x, y","he said ""no"""\r\n\r\n"two\nlines",z\nlast,row')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['x, y', 'he said "no"'] },
      { line: 4, cells: ['two\nlines', 'z'] },
      { line: 6, cells: ['last', 'row'] },
    ]);
  });

  it('loses one record to a quotation mark that is never closed, and none after it', async () => {
    const after = Array.from({ length: 300 }, (_, at) => `row ${at},"quoted ${at}"`);
    const records = await read(['a,b', '1,"open', ...after].join('\n'), 1000);
    expect(records).toHaveLength(302);
    expect(records[1]).toEqual({ line: 2, refused: expect.stringContaining('quotation mark') });
    expect(cells(records.slice(2))[0]).toEqual(['row 0', 'quoted 0']);
    expect(cells(await read('a,b\n1,"open'))).toEqual([['a', 'b'], expect.stringContaining('never closed')]);
  });

  it.each(['x,b"c,d', '"a"b,c', '"a" ,c'])('refuses %j alone', async (bad) => {
    const records = await read(`h,i,j\n${bad}\nok,ok,ok`);
    expect(records[1]).toHaveProperty('refused');
    expect(records.at(-1)).toEqual({ line: 3, cells: ['ok', 'ok', 'ok'] });
  });

  it('passes over a line that is too long without keeping it', async () => {
    const records = await read(`a,b\n${'x'.repeat(1_000_000)},1\n"${'y'.repeat(300_000)}",1\nz,1`, 65_536);
    expect(
      records.map((record) => ('cells' in record ? record.cells[0] : record.refused.slice(0, 18))),
    ).toEqual(['a', 'the line is longer', 'the line is longer', 'z']);
  });

  it('finds the delimiter in the first line', async () => {
    expect(likelyDelimiter('title;author;isbn')).toBe(';');
    expect(likelyDelimiter('title\tauthor')).toBe('\t');
    expect(likelyDelimiter('title')).toBe(',');
    expect(cells(await read('a;b\n"1;2";3'))).toEqual([
      ['a', 'b'],
      ['1;2', '3'],
    ]);
  });

  it('reads back whatever was written, in chunks of any size', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ż', '"', ',', ';', '\n', ' ', '😀') });
    const rows = fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 10 });
    await forAllInTime([rows, fc.integer({ min: 1, max: 50 })], {}, async (written, chunk) => {
      const csv = written
        .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
        .join('\n');
      expect(cells(await read(csv, chunk, ','))).toEqual(written);
    });
  });

  it('gives records and never fails on any text, each line in one record at most', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '\0', '\uFFFD', '\\', '=') });
    await forAllInTime([text, fc.integer({ min: 1, max: 20 })], {}, async (anything, chunk) => {
      const lines = (await read(anything, chunk, ',')).map(({ line }) => line);
      expect(new Set(lines).size).toBe(lines.length);
      expect([...lines].sort((a, b) => a - b)).toEqual(lines);
    });
  });
});
