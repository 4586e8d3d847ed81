/**
 * The product's paper and ink, for what is drawn without the site's style sheets: letters and pages of single
 * files. The site has the same in `client/src/styles/tokens.css`.
 */
export const PAPER = {
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
export const PAPER_STYLE = `
:root { ${properties('day')} }
@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) { ${properties('night')} } }
:root[data-theme='dark'] { ${properties('night')} }
`;

function properties(time: keyof typeof PAPER): string {
  const colours = Object.entries(PAPER[time]).map(
    ([name, colour]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${colour};`,
  );
  return `color-scheme: ${time === 'day' ? 'light' : 'dark'}; ${colours.join(' ')}`;
}
