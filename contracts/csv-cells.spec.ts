import fc from 'fast-check';
import { isFormula, quotedFormula, unquotedFormula } from './csv-cells.js';
import { forAll } from '../test-support/arbitraries/for-all.js';

describe('cells that a spreadsheet would take for formulas', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', "'=1", "''=1"])(
    '%j is quoted',
    (cell) => {
      expect(quotedFormula(cell)).toBe(`'${cell}`);
    },
  );

  it.each(['', 'Dune', '1-2', "'Tis Pity", "'", '—', '9780441172719'])('%j stays', (cell) => {
    expect(quotedFormula(cell)).toBe(cell);
  });

  it('are read back as they were, and none is a formula once it is quoted', () => {
    const cell = fc.string({
      unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', ' ', 'a', '＝', '"', ','),
    });
    forAll([fc.oneof(cell, fc.string({ unit: 'binary' }))], { numRuns: 1000 }, (text) => {
      const quoted = quotedFormula(text);
      expect(unquotedFormula(quoted)).toBe(text);
      expect(quoted.startsWith("'") || !isFormula(quoted)).toBe(true);
    });
  });
});
