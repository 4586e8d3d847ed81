import { Navigate, type RouteObject } from 'react-router-dom';
import { page, type LoadPage, RouteOutlet, unknownPage } from './route-error.js';
import { lazyPage } from '../lib/router/lazy-page.js';
import '../styles/staff.css';

const bookSave: LoadPage = async () =>
  (await import('../features/catalogue-admin/books/book-save-page.js')).BookSavePage;
const insight: LoadPage = async () => (await import('../features/insight/insight-page.js')).InsightPage;
const whatIf: LoadPage = async () => (await import('../features/rules/what-if/what-if-page.js')).WhatIfPage;
const till: LoadPage = async () => (await import('../features/till/till-page.js')).TillPage;
const rules: LoadPage = async () => (await import('../features/rules/rules-page.js')).RulesPage;

export const adminRoutes: RouteObject[] = [
  {
    ...lazyPage(async () => (await import('./admin-shell.js')).AdminShell),
    children: [
      {
        // A failing page keeps the side menu.
        element: <RouteOutlet />,
        children: [
          { index: true, element: <Navigate to="/admin/dashboard" replace /> },
          page(
            'dashboard',
            async () => (await import('../features/dashboard/dashboard-page.js')).DashboardPage,
          ),
          page(
            'books',
            async () => (await import('../features/catalogue-admin/books/books-page.js')).BooksPage,
          ),
          page('books/save', bookSave),
          page('books/save/:id', bookSave),
          page(
            'authors',
            async () =>
              (await import('../features/catalogue-admin/authorities/authority-screen.js')).AuthorsPage,
          ),
          page(
            'genres',
            async () =>
              (await import('../features/catalogue-admin/authorities/authority-screen.js')).GenresPage,
          ),
          page('users', async () => (await import('../features/users/users-page.js')).UsersPage),
          page('readers/:id', async () => (await import('../features/reader/reader-page.js')).ReaderPage),
          page('borrows', async () => (await import('../features/queue/queue-screen.js')).QueueScreen),
          page('desk', async () => (await import('../features/desk/desk-screen.js')).DeskScreen),
          page(
            'publishers',
            async () =>
              (await import('../features/catalogue-admin/authorities/authority-screen.js')).PublishersPage,
          ),
          page(
            'duplicates',
            async () =>
              (await import('../features/catalogue-admin/merging/duplicates-page.js')).DuplicatesPage,
          ),
          page(
            'raports/searches',
            async () => (await import('../features/searches/searches-page.js')).SearchesPage,
          ),
          page('raports', async () => (await import('../features/reports/reports-page.js')).ReportsPage),
          page(
            'stock-taking',
            async () => (await import('../features/stock-taking/stock-takings-page.js')).StockTakingsPage,
          ),
          page(
            'stock-taking/:id',
            async () => (await import('../features/stock-taking/stock-taking-page.js')).StockTakingPage,
          ),
          page('insight', insight),
          page('holds', async () => (await import('../features/holds/holds-page.js')).HoldsPage),
          page('holds/:id', async () => (await import('../features/holds/hold-queue-page.js')).HoldQueuePage),
          page('till', till),
          page('rules', rules),
          page('rules/what-if', whatIf),
          page(
            'rules/edit',
            async () => (await import('../features/rules/editor/rules-editor-page.js')).RulesEditorPage,
          ),
          page(
            'lists',
            async () => (await import('../features/library-lists/library-lists-page.js')).LibraryListsPage,
          ),
          page(
            'lists/:id',
            async () => (await import('../features/library-lists/library-list-page.js')).LibraryListPage,
          ),
          page(
            'house',
            async () => (await import('../features/system-status/system-status-page.js')).SystemStatusPage,
          ),
          page('jobs', async () => (await import('../features/job-queues/job-queues-page.js')).JobQueuesPage),
          unknownPage,
        ],
      },
    ],
  },
];

export const auditRoutes: RouteObject[] = [
  page(undefined, async () => (await import('../features/audit/audit-page.js')).AuditPage),
  page('insight', insight),
  page('till', till),
  page('rules', rules),
  page('rules/what-if', whatIf),
  page('readers/:readerId', async () => (await import('../features/audit/replay/replay-page.js')).ReplayPage),
  unknownPage,
];
