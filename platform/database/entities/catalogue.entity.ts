import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn, VersionColumn } from 'typeorm';
import type { BookKind } from '#contracts/rules/kinds.js';

const BY_DATABASE = { type: 'text', nullable: true, select: false, insert: false, update: false } as const;

abstract class ComparedByName {
  @VersionColumn() version!: number;
  /** The name as it is compared with others. */
  @Column(BY_DATABASE) folded!: string;
  /** What duplicates are proposed by. */
  @Column(BY_DATABASE) likeness!: string;
}

@Entity('author')
export class AuthorEntity extends ComparedByName {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') firstname!: string;
  @Column('text') lastname!: string;
  @Column('text') nationality!: string;
  @Column('text') biography!: string;
  @Column('text', { name: 'other_names', array: true, default: () => "'{}'" }) otherNames!: string[];
}

@Entity('genre')
export class GenreEntity extends ComparedByName {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') name!: string;
  @Column('text') description!: string;
}

@Entity('publisher')
export class PublisherEntity extends ComparedByName {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') name!: string;
  @Column('text') adress!: string;
  @Column('text') phone!: string;
  @Column('text') website!: string;
}

/** A title of the catalogue with its copies. */
@Entity('book')
export class BookEntity {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') isbn!: string;
  @Column('text') title!: string;
  /** Null where it is the title, or nobody knows it. */
  @Column('text', { name: 'original_title', nullable: true }) originalTitle!: string | null;
  @Column('text', { name: 'other_titles', array: true, default: () => "'{}'" }) otherTitles!: string[];
  @Column('text') description!: string;
  @Column('text', { nullable: true }) series!: string | null;
  /** As it is printed; null for a book of no series. */
  @Column('text', { nullable: true }) volume!: string | null;
  @Column('integer', { name: 'publisher_id', nullable: true }) publisherId!: number | null;
  /** As exactly as anybody knows; null where nobody does. */
  @Column('text', { nullable: true }) published!: string | null;
  /** Its first day, to sort by. */
  @Column({ ...BY_DATABASE, name: 'publication_date', type: 'date' }) publicationDate!: string | null;
  @Column('integer', { name: 'copies_total' }) copiesTotal!: number;
  /** A rent takes them and a return gives them back, at any moment: never write what was read before. */
  @Column('integer', { name: 'copies_available' }) copiesAvailable!: number;
  /** How many wait for a copy. The projection counts them: never write it. */
  @Column('integer', { default: 0 }) holds!: number;
  /** ISO 639; null where nobody knows it. */
  @Column('text', { nullable: true }) language!: string | null;
  /** By which rules it is lent, or that it is not. */
  @Column('text', { default: 'loanable' }) kind!: BookKind;
  /** In grosze; null where nobody has said it. */
  @Column('integer', { nullable: true }) price!: number | null;
  @Column('text', { name: 'photo_url', nullable: true }) photoUrl!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) created!: Date;
  /** When its record or the number of its copies last changed. The database says it: never write it. */
  @Column('timestamptz', { name: 'changed_at', default: () => 'now()' }) changedAt!: Date;
  @VersionColumn() version!: number;
}

/** An author of a book, at its place among its authors. */
@Entity('book_author')
export class BookAuthorEntity {
  @PrimaryColumn('integer', { name: 'book_id' }) bookId!: number;
  @PrimaryColumn('integer', { name: 'author_id' }) authorId!: number;
  @Column('integer') place!: number;
}

/** A genre of a book, at its place among its genres. */
@Entity('book_genre')
export class BookGenreEntity {
  @PrimaryColumn('integer', { name: 'book_id' }) bookId!: number;
  @PrimaryColumn('integer', { name: 'genre_id' }) genreId!: number;
  @Column('integer') place!: number;
}
