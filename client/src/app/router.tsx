import type { ComponentType } from 'react';
import { Navigate, Outlet, UNSAFE_createHashHistory, type RouteObject } from 'react-router-dom';
import { setAppNavigator } from '../lib/app-navigation.js';
import { latePage } from '../lib/router/late-page.js';
import { createSiteRouter } from '../lib/router/site-router.js';
import { RequireAdmin, RequireAuditor, RequireUser } from './guards.js';
import { RootLayout } from './root-layout.js';
import { RouteBoundary, RouteOutlet } from './route-error.js';
import { whenShown } from './shown-location.js';

type LoadPage = () => Promise<ComponentType>;

/** A page that is loaded when it is opened; without a path, the index of its parent. */
function page(path: string | undefined, load: LoadPage): RouteObject {
  return path === undefined ? { index: true, ...latePage(load) } : { path, ...latePage(load) };
}

const home: LoadPage = async () => (await import('../features/home/home-page.js')).HomePage;
const bookSave: LoadPage = async () =>
  (await import('../features/catalogue-admin/books/book-save-page.js')).BookSavePage;
const insight: LoadPage = async () => (await import('../features/insight/insight-page.js')).InsightPage;
const whatIf: LoadPage = async () => (await import('../features/rules/what-if/what-if-page.js')).WhatIfPage;
const rules: LoadPage = async () => (await import('../features/rules/rules-page.js')).RulesPage;

const admin: RouteObject = {
  path: 'admin',
  element: (
    <RequireAdmin>
      <Outlet />
    </RequireAdmin>
  ),
  children: [
    {
      ...latePage(async () => (await import('./admin-shell.js')).AdminShell),
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
                (await import('../features/catalogue-admin/authorities/authority-pages.js')).AuthorsPage,
            ),
            page(
              'genres',
              async () =>
                (await import('../features/catalogue-admin/authorities/authority-pages.js')).GenresPage,
            ),
            page('users', async () => (await import('../features/users/users-page.js')).UsersPage),
            page('readers/:id', async () => (await import('../features/reader/reader-page.js')).ReaderPage),
            page('borrows', async () => (await import('../features/desk/queue-screen.js')).QueueScreen),
            page('desk', async () => (await import('../features/scan-desk/desk-screen.js')).DeskScreen),
            page(
              'publishers',
              async () =>
                (await import('../features/catalogue-admin/authorities/authority-pages.js')).PublishersPage,
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
            page(
              'holds/:id',
              async () => (await import('../features/holds/hold-queue-page.js')).HoldQueuePage,
            ),
            page('rules', rules),
            page('rules/what-if', whatIf),
            page(
              'rules/edit',
              async () => (await import('../features/rules/rules-editor-page.js')).RulesEditorPage,
            ),
            page(
              'lists',
              async () => (await import('../features/library-lists/library-lists-page.js')).LibraryListsPage,
            ),
            page(
              'lists/:id',
              async () => (await import('../features/library-lists/library-list-page.js')).LibraryListPage,
            ),
            page('house', async () => (await import('../features/house/house-page.js')).HousePage),
            page(
              'jobs',
              async () => (await import('../features/job-queues/job-queues-page.js')).JobQueuesPage,
            ),
          ],
        },
      ],
    },
  ],
};

const audit: RouteObject = {
  path: 'audit',
  element: (
    <RequireAuditor>
      <Outlet />
    </RequireAuditor>
  ),
  children: [
    page(undefined, async () => (await import('../features/audit/audit-page.js')).AuditPage),
    page('insight', insight),
    page('rules', rules),
    page('rules/what-if', whatIf),
    page(
      'readers/:readerId',
      async () => (await import('../features/audit/replay/replay-page.js')).ReplayPage,
    ),
  ],
};

const routes: RouteObject[] = [
  {
    element: (
      <RouteBoundary>
        <RootLayout />
      </RouteBoundary>
    ),
    children: [
      {
        // A failing screen keeps the navigation bar.
        element: <RouteOutlet />,
        children: [
          page(undefined, home),
          page('home', home),
          page(
            'catalog',
            async () => (await import('../features/catalogue/catalogue-page.js')).CataloguePage,
          ),
          page('book/:id', async () => (await import('../features/book/book-page.js')).BookPage),
          page(
            'list/:token',
            async () => (await import('../features/lists/shared-list-page.js')).SharedListPage,
          ),
          page('shelf/:id', async () => (await import('../features/lists/shelf-page.js')).ShelfPage),
          page('cart', async () => (await import('../features/cart/cart-page.js')).CartPage),
          page('login', async () => (await import('../features/login/login-page.js')).LoginPage),
          page(
            'register',
            async () => (await import('../features/registration/registration-page.js')).RegistrationPage,
          ),
          page(
            'email-notification',
            async () =>
              (await import('../features/registration/email-notification-page.js')).EmailNotificationPage,
          ),
          page(
            'confirm-email',
            async () => (await import('../features/registration/confirm-email-page.js')).ConfirmEmailPage,
          ),
          page(
            'forgot-password',
            async () => (await import('../features/password/forgot-password-page.js')).ForgotPasswordPage,
          ),
          page(
            'reset-password',
            async () => (await import('../features/password/reset-password-page.js')).ResetPasswordPage,
          ),
          {
            element: (
              <RequireUser>
                <Outlet />
              </RequireUser>
            ),
            children: [
              page('profile', async () => (await import('../features/profile/profile-page.js')).ProfilePage),
              page('lists', async () => (await import('../features/lists/lists-page.js')).ListsPage),
              page('lists/:id', async () => (await import('../features/lists/list-page.js')).ListPage),
              page(
                'profile/security',
                async () => (await import('../features/security/security-page.js')).SecurityPage,
              ),
              page(
                'payment/success',
                async () => (await import('../features/payment/payment-success-page.js')).PaymentSuccessPage,
              ),
            ],
          },
          page(
            'payment/fail',
            async () => (await import('../features/payment/payment-fail-page.js')).PaymentFailPage,
          ),
          page(
            'not-found',
            async () => (await import('../features/failures/not-found-page.js')).NotFoundPage,
          ),
          page(
            'server-error',
            async () => (await import('../features/failures/server-error-page.js')).ServerErrorPage,
          ),
          admin,
          audit,
          { path: '*', element: <Navigate to="/" replace /> },
        ],
      },
    ],
  },
];

export const router = createSiteRouter(UNSAFE_createHashHistory(), routes);

setAppNavigator({
  here: () => router.state.location.pathname + router.state.location.search,
  go: async (path, state) => {
    await router.navigate(path, { state });
    await whenShown(router.state.location.key);
  },
});
