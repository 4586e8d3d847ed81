import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Book } from '#contracts/catalogue/book-views.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';

/** `GET Book/:id` */
export class GetBook extends Query<Book> {
  constructor(readonly id: number) {
    super();
  }
}

/** PostgreSQL's largest integer: no book has a larger id. */
const LARGEST_ID = 2_147_483_647;

const BOOK = `
  select b.id, b.isbn, b.title, b.description, to_char(b.publication_date, 'YYYY-MM-DD') as "publicationDate",
    b.copies_available as "copiesAvailable", b.copies_total as "copiesTotal", b.version,
    case when b.photo_url is not null then json_build_object('url', b.photo_url) end as photo,
    json_build_object('id', p.id, 'name', p.name, 'adress', p.adress, 'phone', p.phone, 'website', p.website) as publisher,
    coalesce((
      select json_agg(json_build_object('id', a.id, 'firstname', a.firstname, 'lastname', a.lastname,
        'fullname', btrim(a.firstname || ' ' || a.lastname), 'nationality', a.nationality, 'biography', a.biography)
        order by ba.place, a.id)
      from book_author ba join author a on a.id = ba.author_id where ba.book_id = b.id), '[]') as authors,
    coalesce((
      select json_agg(json_build_object('id', g.id, 'name', g.name, 'description', g.description) order by bg.place, g.id)
      from book_genre bg join genre g on g.id = bg.genre_id where bg.book_id = b.id), '[]') as genres
  from book b join publisher p on p.id = b.publisher_id
  where b.id = $1`;

@QueryHandler(GetBook)
export class GetBookHandler implements IQueryHandler<GetBook> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @throws DomainError BookNotFound */
  async execute({ id }: GetBook): Promise<Book> {
    if (id > LARGEST_ID) throw notFound();
    const { rows } = await this.database.query<Book>({ name: 'book', text: BOOK, values: [id] });
    const book = rows[0];
    if (!book) throw notFound();
    return book;
  }
}

function notFound(): DomainError {
  return new DomainError('BookNotFound', 'This book is not in the catalogue.');
}
