import { useMemo } from 'react';
import { designCover, type CoverDesign, type CoverSubject } from './cover-design.js';
import type { CoverMark } from './cover-design-shapes.js';
import { classNames } from '../../lib/class-names.js';
import styles from './book-cover.module.css';

/** What a cover is made of: a picture where there is one, otherwise the book itself. */
export interface CoveredBook {
  id: number;
  title: string;
  authors: readonly { firstname: string; lastname: string }[];
  genres: readonly { name: string }[];
  photo: { url: string } | null;
}

interface BookCoverProps {
  book: CoveredBook;
  /** Shows a part of the board without its lettering: for places of about 50 px. */
  thumbnail?: boolean;
  className?: string | undefined;
}

/** A book's cover. It keeps its 2:3 place, and says nothing to a screen reader: its title stands beside it. */
export function BookCover({ book, thumbnail = false, className }: BookCoverProps) {
  const frame = classNames(styles.cover, thumbnail && styles.thumbnail, className);
  if (book.photo) {
    return (
      <span className={frame}>
        <img className={styles.board} src={book.photo.url} alt="" loading="lazy" decoding="async" />
      </span>
    );
  }
  return (
    <span className={frame} aria-hidden="true">
      <DrawnCover book={book} thumbnail={thumbnail} />
    </span>
  );
}

function DrawnCover({ book, thumbnail }: { book: CoveredBook; thumbnail: boolean }) {
  const design = useMemo(() => designCover(subjectOf(book)), [book]);
  return (
    <svg
      className={styles.board}
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

function Front({ design }: { design: CoverDesign }) {
  return (
    <>
      <Marks marks={design.plate} />
      {design.lettering.map((line, index) => (
        <text
          key={index}
          className={styles.lettering}
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
