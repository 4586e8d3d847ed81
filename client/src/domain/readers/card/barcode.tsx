/** Modules of white that a scanner needs on either side (ISO/IEC 15417). */
const QUIET_ZONE = 10;

interface BarcodeProps {
  /** Widths of bars and spaces in modules, bars first. */
  bars: readonly number[];
  /** What it says. */
  text: string;
  className?: string | undefined;
}

/** Code 128 as a drawing: black on white in any theme, as wide and high as its place. */
export function Barcode({ bars, text, className }: BarcodeProps) {
  let x = QUIET_ZONE;
  let path = '';
  for (const [at, width] of bars.entries()) {
    if (at % 2 === 0) path += `M${x} 0h${width}v1h-${width}z`;
    x += width;
  }
  const width = x + QUIET_ZONE;
  return (
    <svg
      viewBox={`0 0 ${width} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      role="img"
      aria-label={`Barcode of ${text}`}
      className={className}
    >
      <rect width={width} height="1" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
