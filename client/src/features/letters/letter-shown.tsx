import * as m from '#words/messages.js';
import { useEffect, useRef } from 'react';
import { classNames } from '../../lib/class-names.js';

interface LetterShownProps {
  preview: { subject: string; html: string; isReal: boolean } | undefined;
  /** What is typed cannot be shown: it is the letter as it was before. */
  isWrong: boolean;
  isPaper: boolean;
}

/** A letter as its reader gets it: in a tree of its own, where no style of the site reaches it. */
export function LetterShown({ preview, isWrong, isPaper }: LetterShownProps) {
  const host = useRef<HTMLDivElement>(null);
  const html = preview?.html ?? '';
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    root.replaceChildren(...contentOf(html));
  }, [html]);
  return (
    <section
      aria-label={m.own_letters_preview()}
      className={classNames('min-w-0 sticky top-6 to-960:static to-960:order-last', isWrong && 'opacity-60')}
    >
      <p className="mb-2 text-1 text-ink-soft">
        {isWrong
          ? m.own_letters_preview_wrong()
          : isPaper
            ? m.own_letters_preview()
            : preview?.isReal === true
              ? m.own_letters_preview_real()
              : m.own_letters_preview_made_up()}
      </p>
      {!isPaper && <p className="mb-3 font-strong wrap-anywhere">{preview?.subject}</p>}
      <div
        ref={host}
        inert
        data-letter={preview ? 'shown' : 'awaited'}
        className={classNames(
          'overflow-hidden border border-line rounded bg-[#fff] text-[#000]',
          isPaper && 'px-4',
        )}
      />
    </section>
  );
}

/** Styles of elements are set one by one: the page allows none that come with HTML. */
function contentOf(html: string): Node[] {
  const { body } = new DOMParser().parseFromString(html.replaceAll(' style="', ' data-style="'), 'text/html');
  const nodes = [...body.childNodes].map((node) => document.importNode(node, true));
  for (const node of nodes) {
    if (!(node instanceof HTMLElement)) continue;
    for (const element of [node, ...node.querySelectorAll<HTMLElement>('[data-style]')])
      element.style.cssText = element.dataset['style'] ?? '';
  }
  return nodes;
}
