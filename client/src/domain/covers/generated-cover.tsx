import { useContext, useMemo } from 'react';
import { CoversBeside, type CoveredBook } from './covered-book.js';
import {
  bindingsOf,
  designCover,
  type Binding,
  type CoverDesign,
  type CoverSubject,
} from './cover-design.js';
import type { CoverMark } from './cover-design-shapes.js';

/** A cover drawn from the book itself. */
export function GeneratedCover({ book, thumbnail }: { book: CoveredBook; thumbnail: boolean }) {
  const beside = useContext(CoversBeside);
  const design = useMemo(() => designCover(subjectOf(book), bindingAmong(beside, book)), [book, beside]);
  return (
    <svg
      className="block w-full h-full object-cover [filter:var(--picture-filter)]"
      viewBox={thumbnail ? design.glance : '0 0 200 300'}
      data-cover={design.family}
      focusable="false"
    >
      <rect width="200" height="300" fill={design.cloth.ground} />
      <Marks marks={design.pattern} />
      {!thumbnail && <Front design={design} />}
    </svg>
  );
}

const known = new WeakMap<readonly CoveredBook[], ReadonlyMap<number, Binding>>();

/** How a book is bound among others; undefined where it stands alone, as always. */
function bindingAmong(books: readonly CoveredBook[], { id }: CoveredBook): Binding | undefined {
  let bindings = known.get(books);
  if (!bindings) {
    const drawn = [...new Map(books.map((book) => [book.id, book])).values()].filter(({ photo }) => !photo);
    const all = bindingsOf(drawn.map(subjectOf));
    bindings = new Map(drawn.flatMap((book, at) => (all[at] ? [[book.id, all[at]] as const] : [])));
    known.set(books, bindings);
  }
  return bindings.get(id);
}

function Front({ design }: { design: CoverDesign }) {
  return (
    <>
      <Marks marks={design.plate} />
      {design.lettering.map((line, index) => (
        <text
          key={index}
          className="font-serif font-medium"
          x={line.x}
          y={line.y}
          fontSize={line.size}
          textAnchor={line.anchor}
          fill={line.colour}
          fontStyle={line.italic ? 'italic' : 'normal'}
          letterSpacing={line.tracking}
        >
          {line.text}
        </text>
      ))}
      <path d="M8.5 0V300" stroke="#000" strokeOpacity="0.22" strokeWidth="1.6" />
      <path d="M10 0V300" stroke="#fff" strokeOpacity="0.16" strokeWidth="1" />
    </>
  );
}

function Marks({ marks }: { marks: readonly CoverMark[] }) {
  return marks.map((mark, index) => (
    <path
      key={index}
      d={mark.d}
      fill={mark.fill ?? 'none'}
      {...(mark.stroke && { stroke: mark.stroke, strokeWidth: mark.width ?? 1 })}
    />
  ));
}

function subjectOf(book: CoveredBook): CoverSubject {
  return {
    id: book.id,
    title: book.title,
    authors: book.authors.map((author) => `${author.firstname} ${author.lastname}`.trim()),
    genre: book.genres[0]?.name ?? '',
  };
}
