import { useEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { usePrinting } from '../../lib/use-printing.js';
import { classNames } from '../../lib/class-names.js';

/** Paper, in millimetres. A roll is as long as what is on it. */
const PAPERS = {
  a4: { width: 210, height: 297, margin: 15 },
  card: { width: 85.6, height: 53.98, margin: 0 },
  roll58: { width: 58, height: null, margin: 3 },
  roll80: { width: 80, height: null, margin: 4 },
} as const;
type Paper = keyof typeof PAPERS;

/** Of a pixel in a style sheet. */
const MILLIMETRES = 25.4 / 96;

interface PrintedSheetProps {
  paper: Paper;
  /** The browser's window for printing was closed. */
  onDone: () => void;
  children: ReactNode;
}

/** Has the browser print this, and nothing else of the page. Nobody sees it on the screen. */
export function PrintedSheet({ paper, onDone, children }: PrintedSheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { width, height, margin } = PAPERS[paper];
    const needed = (sheet.current?.scrollHeight ?? 0) * MILLIMETRES + 2 * margin + 1;
    const style = new CSSStyleSheet();
    // Named: whatever else the site prints keeps its own paper.
    style.replaceSync(
      `@page ${paper} { size: ${width}mm ${height ?? Math.ceil(needed)}mm; margin: ${margin}mm; }
      [data-paper='${paper}'] { page: ${paper}; }`,
    );
    document.adoptedStyleSheets.push(style);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== style);
    };
  }, [paper]);
  usePrinting(onDone);
  return createPortal(
    <div
      ref={sheet}
      className={classNames(
        'fixed top-0 left-[-300mm] invisible [color:#000]',
        'data-[paper=a4]:w-[180mm] data-[paper=card]:w-[85.6mm]',
        'data-[paper=roll58]:w-[52mm] data-[paper=roll80]:w-[72mm]',
        'print:static print:visible print:bg-[#fff]',
      )}
      data-printed
      data-paper={paper}
      aria-hidden="true"
    >
      {children}
    </div>,
    document.body,
  );
}
