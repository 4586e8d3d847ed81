/** "1 book", "12 books" */
export const booksWords = (books: number) => `${books} ${books === 1 ? 'book' : 'books'}`;
