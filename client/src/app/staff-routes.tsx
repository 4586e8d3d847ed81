import type { ReactNode } from 'react';
import { Navigate, useLocation, type RouteObject } from 'react-router-dom';
import { landingOf, mayEnter } from '../domain/staff-pages.js';
import { useUser } from '../lib/session.js';
import { Admitted } from './guards.js';
import { page, RouteOutlet, unknownPage } from './route-error.js';
import { lazyPage } from '../lib/router/lazy-page.js';
import '../styles/staff.css';

/** Keeps everybody out of the pages that they may not see. */
export function RequirePage({ children }: { children?: ReactNode }) {
  const { pathname } = useLocation();
  return <Admitted admitted={mayEnter(pathname, useUser())}>{children}</Admitted>;
}

function ToLanding() {
  return <Navigate to={landingOf(useUser())} replace />;
}

const authorities = () => import('../features/catalogue-admin/authorities/authority-screen.js');
const bookSave = () => import('../features/catalogue-admin/books/book-save-page.js');

/** What admins and auditors have both, each in their own area. */
const forBoth: RouteObject[] = [
  page('insight', () => import('../features/insight/insight-page.js'), 'InsightPage'),
  page('till', () => import('../features/till/till-page.js'), 'TillPage'),
  page('rules', () => import('../features/rules/rules-page.js'), 'RulesPage'),
  page('rules/what-if', () => import('../features/rules/what-if/what-if-page.js'), 'WhatIfPage'),
];

export const setUpRoutes: RouteObject[] = [
  page('hours', () => import('../features/rules/set-up-hours-page.js'), 'SetUpHoursPage'),
  page('books', () => import('../features/set-up/books-page.js'), 'SetUpBooksPage'),
  unknownPage,
];

export const adminRoutes: RouteObject[] = [
  {
    ...lazyPage(async () => (await import('./admin-shell.js')).AdminShell),
    children: [
      {
        // A failing page keeps the side menu.
        element: (
          <RequirePage>
            <RouteOutlet />
          </RequirePage>
        ),
        children: [
          { index: true, element: <ToLanding /> },
          page('dashboard', () => import('../features/dashboard/dashboard-page.js'), 'DashboardPage'),
          page('books', () => import('../features/catalogue-admin/books/books-page.js'), 'BooksPage'),
          page('books/save', bookSave, 'BookSavePage'),
          page('books/save/:id', bookSave, 'BookSavePage'),
          page('authors', authorities, 'AuthorsPage'),
          page('genres', authorities, 'GenresPage'),
          page('users', () => import('../features/users/users-page.js'), 'UsersPage'),
          page(
            'users/imports',
            () => import('../features/imports/readers/reader-imports-page.js'),
            'ReaderImportsPage',
          ),
          page(
            'users/imports/:id',
            () => import('../features/imports/readers/reader-import-page.js'),
            'ReaderImportPage',
          ),
          page('users/sets', () => import('../features/users/sets-page.js'), 'SetsPage'),
          page('readers/:id', () => import('../features/reader/reader-page.js'), 'ReaderPage'),
          page('borrows', () => import('../features/queue/queue-screen.js'), 'QueueScreen'),
          page('desk', () => import('../features/desk/desk-screen.js'), 'DeskScreen'),
          page('publishers', authorities, 'PublishersPage'),
          page(
            'duplicates',
            () => import('../features/catalogue-admin/merging/duplicates-page.js'),
            'DuplicatesPage',
          ),
          page('imports', () => import('../features/imports/imports-page.js'), 'ImportsPage'),
          page(
            'imports/sources',
            () => import('../features/book-sources/book-sources-page.js'),
            'BookSourcesPage',
          ),
          page('imports/:id', () => import('../features/imports/import-page.js'), 'ImportPage'),
          page('raports/searches', () => import('../features/searches/searches-page.js'), 'SearchesPage'),
          page('raports', () => import('../features/reports/reports-page.js'), 'ReportsPage'),
          page(
            'stock-taking',
            () => import('../features/stock-taking/stock-takings-page.js'),
            'StockTakingsPage',
          ),
          page(
            'stock-taking/:id',
            () => import('../features/stock-taking/stock-taking-page.js'),
            'StockTakingPage',
          ),
          page('holds', () => import('../features/holds/holds-page.js'), 'HoldsPage'),
          page('holds/:id', () => import('../features/holds/hold-queue-page.js'), 'HoldQueuePage'),
          page(
            'rules/edit',
            () => import('../features/rules/editor/rules-editor-page.js'),
            'RulesEditorPage',
          ),
          page('lists', () => import('../features/library-lists/library-lists-page.js'), 'LibraryListsPage'),
          page(
            'lists/:id',
            () => import('../features/library-lists/library-list-page.js'),
            'LibraryListPage',
          ),
          page('library', () => import('../features/library/library-page.js'), 'LibraryPage'),
          page('library/sign-on', () => import('../features/sign-on/providers-page.js'), 'ProvidersPage'),
          page('library/letters', () => import('../features/letters/letters-page.js'), 'LettersPage'),
          page('library/letters/:letter', () => import('../features/letters/letter-page.js'), 'LetterPage'),
          page('house', () => import('../features/system-status/system-status-page.js'), 'SystemStatusPage'),
          page('webhooks', () => import('../features/webhooks/webhooks-page.js'), 'WebhooksPage'),
          page('devices', () => import('../features/devices/devices-page.js'), 'DevicesPage'),
          page('jobs', () => import('../features/job-queues/job-queues-page.js'), 'JobQueuesPage'),
          ...forBoth,
          unknownPage,
        ],
      },
    ],
  },
];

export const auditRoutes: RouteObject[] = [
  {
    element: <RequirePage />,
    children: [
      page(undefined, () => import('../features/audit/audit-page.js'), 'AuditPage'),
      page('readers/:readerId', () => import('../features/audit/replay/replay-page.js'), 'ReplayPage'),
      ...forBoth,
      unknownPage,
    ],
  },
];
