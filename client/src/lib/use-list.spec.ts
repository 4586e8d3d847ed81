import { isPage, paginationItems, totalPages } from './use-list.js';

describe('the pages that a pagination shows', () => {
  // spec 9.5
  it.each([1, 2, 3, 4, 5])('shows all of %i pages', (total) => {
    for (let page = 1; page <= total; page += 1) {
      expect(paginationItems(page, total)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    }
  });

  it.each([
    [1, 6, [1, 2, 'gap', 6]],
    [2, 6, [1, 2, 3, 'gap', 6]],
    [3, 6, [1, 2, 3, 4, 'gap', 6]],
    [4, 6, [1, 'gap', 3, 4, 5, 6]],
    [5, 6, [1, 'gap', 4, 5, 6]],
    [6, 6, [1, 'gap', 5, 6]],
    [7, 12, [1, 'gap', 6, 7, 8, 'gap', 12]],
  ])('at page %i of %i shows first, last, neighbours and gaps', (page, total, marks) => {
    expect(paginationItems(page, total)).toEqual(marks);
  });

  // spec 9.3
  it('takes the ceiling for the number of pages, and one page for an empty list', () => {
    expect([totalPages(0, 12), totalPages(12, 12), totalPages(13, 12), totalPages(187, 20)]).toEqual([
      1, 1, 2, 10,
    ]);
  });

  // spec 4.8
  it('goes only to whole numbers from 1 to the last page', () => {
    expect([0, 1, 1.5, 10, 11, Number.NaN].map((page) => isPage(page, 10))).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});
