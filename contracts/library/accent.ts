/** A colour as `#rrggbb`, or none. */
export const ACCENT = /^(#[0-9a-f]{6})?$/;

/** The least contrast of text that is not large, by WCAG 2.2 (1.4.3). */
const LEAST_CONTRAST = 4.5;
/** The surfaces on which the accent stands, by day and by night: the darkest and the lightest of each theme's. */
const SURFACES = { day: '#eae3d3', night: '#27231f' } as const;
/** What is written on it. */
const WRITING = '#fdfaf3';
/** Steps between a colour and black or white. */
const STEPS = 50;

/** The colours of one theme that follow from an accent. */
export interface AccentColours {
  /** A button. */
  accent: string;
  /** The same under a pointer. */
  accentDeep: string;
  onAccent: string;
  /** A link. */
  accentText: string;
  /** Behind what is chosen. */
  accentWash: string;
}

/**
 * What a library's colour becomes in both themes: as near to it as can be read. Buttons carry light writing, links stand on the
 * theme's surfaces.
 * @param colour `#rrggbb`
 * @returns null for a colour that is no colour
 */
export function accentColours(colour: string): Record<'day' | 'night', AccentColours> | null {
  if (!/^#[0-9a-f]{6}$/.test(colour)) return null;
  const button = darkUntil(colour, (each) => contrast(each, WRITING) >= LEAST_CONTRAST);
  const theme = (surface: string, text: string, wash: number): AccentColours => ({
    accent: button,
    accentDeep: mixed(button, '#000000', 0.25),
    onAccent: WRITING,
    accentText: text,
    accentWash: mixed(surface, button, wash),
  });
  const reads = (surface: string, wash: number) => (each: string) =>
    contrast(each, surface) >= LEAST_CONTRAST &&
    contrast(each, mixed(surface, button, wash)) >= LEAST_CONTRAST;
  return {
    day: theme(SURFACES.day, darkUntil(colour, reads(SURFACES.day, 0.12)), 0.12),
    night: theme(SURFACES.night, lightUntil(colour, reads(SURFACES.night, 0.2)), 0.2),
  };
}

const darkUntil = (colour: string, isEnough: (colour: string) => boolean) =>
  towards(colour, '#000000', isEnough);
const lightUntil = (colour: string, isEnough: (colour: string) => boolean) =>
  towards(colour, '#ffffff', isEnough);

function towards(colour: string, end: string, isEnough: (colour: string) => boolean): string {
  for (let step = 0; step < STEPS; step += 1) {
    const each = mixed(colour, end, step / STEPS);
    if (isEnough(each)) return each;
  }
  return end;
}

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** So much of the second colour in the first. */
function mixed(one: string, other: string, share: number): string {
  const parts = channels(other);
  return `#${channels(one)
    .map((value, at) => Math.round(value + ((parts[at] ?? 0) - value) * share))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

/** By WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
