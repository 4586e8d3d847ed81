/** "1 book", "12 books" */
export const booksText = (books: number) => `${books} ${books === 1 ? 'book' : 'books'}`;
