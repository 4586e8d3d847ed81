import fc from 'fast-check';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import { accentColours, contrast } from './accent.js';

/** Of `client/src/styles/tokens.css`: all on which a link may stand. */
const SURFACES = {
  day: ['#f4efe4', '#fbf8f1', '#eae3d3'],
  night: ['#1d1a17', '#27231f', '#161311'],
} as const;
const LEAST = 4.5;

const colour = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the colour of a library', () => {
  it('can be read in both themes, whichever it is', () => {
    forAll([colour], { numRuns: 500 }, (chosen) => {
      const colours = accentColours(chosen);
      for (const theme of ['day', 'night'] as const) {
        const { accent, accentDeep, onAccent, accentText, accentWash } = colours?.[theme] ?? {};
        for (const button of [accent, accentDeep])
          expect(contrast(button ?? '', onAccent ?? '')).toBeGreaterThanOrEqual(LEAST);
        for (const surface of [...SURFACES[theme], accentWash ?? '']) {
          expect(contrast(accentText ?? '', surface)).toBeGreaterThanOrEqual(LEAST);
        }
      }
    });
  });

  it('is taken as it is where it can be read', () => {
    expect(accentColours('#1f5442')?.day).toMatchObject({ accent: '#1f5442', accentText: '#1f5442' });
  });

  it('is none where it is no colour', () => {
    expect(['', 'green', '#12345', '#1f5442;color:red'].map(accentColours)).toEqual([null, null, null, null]);
  });

  it('has the contrast that WCAG gives', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 2);
  });
});
