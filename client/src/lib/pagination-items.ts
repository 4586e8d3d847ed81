/** What a pagination shows in a row: a page number, or a gap. */
export type PaginationItem = number | 'gap';

/** Total pages is the ceiling of the count over the page size; an empty list has one page. */
export function totalPages(totalCount: number, pageSize: number): number {
  return Math.max(1, Math.ceil(totalCount / pageSize));
}

/**
 * All pages when 5 or fewer; otherwise first, last, current with neighbours, a gap after the first when the
 * current is above 3, and before the last when it is below total minus 2 (specification, section 9).
 */
export function paginationItems(current: number, total: number): PaginationItem[] {
  if (total <= 5) return Array.from({ length: total }, (_, index) => index + 1);
  const marks: PaginationItem[] = [1];
  if (current > 3) marks.push('gap');
  for (let page = Math.max(2, current - 1); page <= Math.min(total - 1, current + 1); page += 1)
    marks.push(page);
  if (current < total - 2) marks.push('gap');
  marks.push(total);
  return marks;
}

/** A page change counts only for a whole number from 1 to the last page (specification, section 4). */
export function isPage(page: number, total: number): boolean {
  return Number.isInteger(page) && page >= 1 && page <= total;
}
