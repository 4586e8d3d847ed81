import { createElement, Fragment, type ReactNode } from 'react';
import type { MessagePart } from '#words/messages.js';

type Mark = (text: string) => ReactNode;

interface MarkedProps {
  /** Of a message: `m.x.parts()`. */
  parts: readonly MessagePart[];
  /** What each mark of the message is shown as; a mark within a mark is not one. */
  as: Readonly<Record<string, Mark>>;
}

/** A message some of whose words are marked: as a link, in bold. */
export function Marked({ parts, as }: MarkedProps) {
  const shown: ReactNode[] = [];
  let text = '';
  for (const part of parts) {
    if (part.type === 'text') {
      text += part.value;
      continue;
    }
    if (part.type === 'markup-start') shown.push(text);
    else if (part.type === 'markup-end') shown.push(as[part.name]?.(text));
    else shown.push(text, as[part.name]?.(''));
    text = '';
  }
  return createElement(Fragment, null, ...shown, text);
}
