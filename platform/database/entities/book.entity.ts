import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  VersionColumn,
  type Relation,
} from 'typeorm';
import type { BookKind } from '#contracts/rules/kinds.js';
import { AuthorEntity } from './author.entity.js';
import { GenreEntity } from './genre.entity.js';
import { PublisherEntity } from './publisher.entity.js';

/** A title of the catalogue with its copies. */
@Entity('book')
export class BookEntity {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') isbn!: string;
  @Column('text') title!: string;
  @Column('text') description!: string;
  @Column('text', { nullable: true }) series!: string | null;
  /** As it is printed; null for a book of no series. */
  @Column('text', { nullable: true }) volume!: string | null;
  @Column('integer', { name: 'publisher_id', nullable: true }) publisherId!: number | null;
  /** yyyy-MM-dd */
  @Column('date', { name: 'publication_date' }) publicationDate!: string;
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
  @VersionColumn() version!: number;

  @ManyToOne(() => PublisherEntity)
  @JoinColumn({ name: 'publisher_id' })
  publisher?: PublisherEntity;

  @OneToMany(() => BookAuthorEntity, ({ book }) => book)
  authors?: Relation<BookAuthorEntity>[];

  @OneToMany(() => BookGenreEntity, ({ book }) => book)
  genres?: Relation<BookGenreEntity>[];
}

/** An author of a book, at her place among its authors. */
@Entity('book_author')
export class BookAuthorEntity {
  @PrimaryColumn('integer', { name: 'book_id' }) bookId!: number;
  @PrimaryColumn('integer', { name: 'author_id' }) authorId!: number;
  @Column('integer') place!: number;

  @ManyToOne(() => BookEntity, ({ authors }) => authors, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'book_id' })
  book?: BookEntity;

  @ManyToOne(() => AuthorEntity)
  @JoinColumn({ name: 'author_id' })
  author?: AuthorEntity;
}

/** A genre of a book, at its place among its genres. */
@Entity('book_genre')
export class BookGenreEntity {
  @PrimaryColumn('integer', { name: 'book_id' }) bookId!: number;
  @PrimaryColumn('integer', { name: 'genre_id' }) genreId!: number;
  @Column('integer') place!: number;

  @ManyToOne(() => BookEntity, ({ genres }) => genres, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'book_id' })
  book?: BookEntity;

  @ManyToOne(() => GenreEntity)
  @JoinColumn({ name: 'genre_id' })
  genre?: GenreEntity;
}
