import { MAX_PIECE } from '#contracts/catalogue/book-rows.js';
import { piecesOf, textOf } from './csv-pieces.js';

describe('a CSV file in pieces', () => {
  it('is one where it is small, with its line ends made the same', () => {
    expect(piecesOf('isbn,title\r\n1,One\r\n2,Two\r\n')).toEqual([
      { text: 'isbn,title\n1,One\n2,Two\n\n', line: 2 },
    ]);
  });

  it('has the first line in each, and says where its rows are', () => {
    const row = `1,${'x'.repeat(MAX_PIECE / 2)}`;
    const pieces = piecesOf(['isbn,title', row, row, row].join('\n'));
    expect(pieces.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(pieces.every(({ text }) => text.startsWith('isbn,title\n1,'))).toBe(true);
  });

  it('is never cut within quotation marks', () => {
    const half = 'x'.repeat(MAX_PIECE / 2 + 1);
    const pieces = piecesOf(['isbn,title', `1,"${half}`, `${half}"`, '2,Two'].join('\n'));
    expect(pieces).toEqual([
      { text: `isbn,title\n1,"${half}\n${half}"\n`, line: 2 },
      { text: 'isbn,title\n2,Two\n', line: 4 },
    ]);
  });

  it('is sent where it has no rows: the server says what is missing', () => {
    expect(piecesOf('')).toEqual([{ text: '\n', line: 2 }]);
  });

  it('is read as UTF-8, or as Windows writes Polish', () => {
    expect(textOf(new TextEncoder().encode('Żółw').buffer)).toBe('Żółw');
    expect(textOf(new Uint8Array([0xaf, 0xf3, 0xb3, 0x77]).buffer)).toBe('Żółw');
  });
});
