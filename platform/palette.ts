/**
 * The product's paper and ink, for what is drawn without the site's style sheets: letters and pages of single
 * files. The site has the same in `client/src/styles/tokens.css`.
 */
export const PALETTE = {
  day: {
    paper: '#f4efe4',
    surface: '#fbf8f1',
    ink: '#231d17',
    inkSoft: '#5f5548',
    line: '#d8cfbd',
    lineStrong: '#877b6a',
    accent: '#1f5442',
    onAccent: '#fbf8f1',
    accentWash: '#dde6d9',
  },
  night: {
    paper: '#1d1a17',
    surface: '#27231f',
    ink: '#ede5d8',
    inkSoft: '#b8ac9a',
    line: '#3b352f',
    lineStrong: '#8b7f70',
    accent: '#92cbb0',
    onAccent: '#14231c',
    accentWash: '#253a31',
  },
} as const;

/** The same as custom properties (`--ink-soft`), of the day, and of the night where the system or `data-theme` says so. */
export const PALETTE_STYLE = `
:root { ${properties('day')} }
@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) { ${properties('night')} } }
:root[data-theme='dark'] { ${properties('night')} }
`;

/** The files of the house's faces, below `/type/`; the ranges are those of their packages. */
export const FONT_FILES = (['latin', 'latin-ext'] as const).flatMap((script) => [
  {
    ...{ family: 'Inter', weights: '100 900', script, source: '@fontsource-variable/inter' },
    file: `inter-${script}-wght-normal.woff2`,
  },
  {
    ...{
      family: 'Newsreader',
      weights: '200 800',
      script,
      source: '@fontsource-variable/newsreader',
    },
    file: `newsreader-${script}-wght-normal.woff2`,
  },
]);

const RANGES = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
};

/** The house's faces, for pages of single files that this server shows: their policy needs `font-src 'self'`. */
export const FONT_FACES = FONT_FILES.map(
  ({ family, weights, script, file }) =>
    `@font-face { font-family: ${family}; font-weight: ${weights}; font-display: swap; src: url('/type/${file}') format('woff2'); unicode-range: ${RANGES[script]}; }`,
).join('\n');

function properties(time: keyof typeof PALETTE): string {
  const colours = Object.entries(PALETTE[time]).map(
    ([name, colour]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${colour};`,
  );
  return `color-scheme: ${time === 'day' ? 'light' : 'dark'}; ${colours.join(' ')}`;
}
