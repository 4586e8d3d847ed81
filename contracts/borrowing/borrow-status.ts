import { z } from 'zod';

/** Status values shown (specification, section 4). */
export const borrowStatusSchema = z.enum(['Rented', 'Issued', 'Returned', 'Expired', 'Not_Paid', 'Paid']);
export type BorrowStatus = z.infer<typeof borrowStatusSchema>;

/** A borrow in one of these states keeps its copies out of the shelf. */
export const OPEN_STATUSES: readonly BorrowStatus[] = ['Rented', 'Issued', 'Not_Paid', 'Paid'];
