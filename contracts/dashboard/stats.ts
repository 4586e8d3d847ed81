import { z } from 'zod';
import { call } from '../call.js';

/** The admin dashboard's counters (specification, section 3). "Last month" is the last 30 days. */
const dashboardStatsSchema = z.object({
  totalBooks: z.int(),
  booksBorrowedLastMonth: z.int(),
  booksAddedLastMonth: z.int(),
  totalUsers: z.int(),
  activeBorrows: z.int(),
  expiredRents: z.int(),
});
export type DashboardStats = z.infer<typeof dashboardStatsSchema>;

export const readStats = call('GET Dashboard/stats', { may: ['queue'], answer: dashboardStatsSchema });
