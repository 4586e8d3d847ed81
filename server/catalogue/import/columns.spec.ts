import { InvalidHeader } from '../../imports/columns.js';
import { recogniseColumns } from './columns.js';

describe('the columns of a file', () => {
  it('are recognised by their names, however they are written', () => {
    expect(
      recogniseColumns(['Title', 'AUTHOR', 'ISBN-13', 'Publication Date', 'unknown', 'Copies_Total']),
    ).toEqual({
      width: 6,
      places: { title: 0, author: 1, isbn13: 2, date: 3, copies: 5 },
    });
    expect(
      recogniseColumns([
        'book_id',
        'isbn',
        'authors',
        'original_publication_year',
        'original_title',
        'title',
      ]),
    ).toEqual({
      width: 6,
      places: { number: 0, isbn: 1, authors: 2, year: 3, originalTitle: 4, title: 5 },
    });
  });

  it('are recognised in Polish too', () => {
    expect(
      recogniseColumns(['ISBN', 'Tytuł', 'Autor', 'Rok wydania', 'Język', 'Egzemplarze']).places,
    ).toEqual({
      ...{ isbn: 0, title: 1, author: 2, year: 3, language: 4, copies: 5 },
    });
  });

  it.each([[['']], [['title', 'author']], [['isbn', 'title']], [['1', 'Dune', 'Frank Herbert']]])(
    '%j are not usable',
    (header) => expect(() => recogniseColumns(header)).toThrow(InvalidHeader),
  );
});
