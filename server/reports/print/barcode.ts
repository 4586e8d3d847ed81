import bwipjs from 'bwip-js/node';

/** Widths of a module in millimetres, widest first: 4 and 3 dots of a printer with 300 dots an inch. */
const MODULE_WIDTHS = [(4 * 25.4) / 300, (3 * 25.4) / 300] as const;

/** Modules of white that a scanner needs on either side (ISO/IEC 15417). */
const QUIET_ZONE = 10;

/** Alternating bars and spaces, in modules. */
function bars(text: string): number[] {
  const [symbol] = bwipjs.raw({ bcid: 'code128', text }) as { sbs: number[] }[];
  if (!symbol?.sbs) throw new Error('The barcode could not be made.');
  return symbol.sbs;
}

/** The minimum width of a barcode with its quiet zones, in millimetres. */
export function minWidth(text: string): number {
  return (modules(bars(text)) + 2 * QUIET_ZONE) * MODULE_WIDTHS[1];
}

const modules = (widths: number[]) => widths.reduce((sum, width) => sum + width, 0);

/** A barcode as SVG, with its quiet zones, each of the given width in millimetres. */
export interface Barcode {
  svg: string;
  quietZone: number;
}

/**
 * A text as Code 128.
 * @param room the available width, in millimetres
 * @param height of the bars, in millimetres
 * @throws an Error if the barcode would be too narrow to scan
 */
export function barcode(text: string, room: number, height: number): Barcode {
  const widths = bars(text);
  const total = modules(widths) + 2 * QUIET_ZONE;
  const module = MODULE_WIDTHS.find((width) => total * width <= room + 0.001);
  if (module === undefined) throw new Error(`${room} mm are too narrow for the barcode of ${text}.`);
  let x = QUIET_ZONE;
  let path = '';
  for (const [at, width] of widths.entries()) {
    if (at % 2 === 0) path += `M${x} 0h${width}v1h-${width}z`;
    x += width;
  }
  const size = `width="${(total * module).toFixed(4)}mm" height="${height}mm"`;
  const svg = `<svg ${size} viewBox="0 0 ${total} 1" preserveAspectRatio="none"><path d="${path}"/></svg>`;
  return { svg, quietZone: QUIET_ZONE * module };
}
