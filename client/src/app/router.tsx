import { createHashRouter, Navigate, Outlet, type RouteObject } from 'react-router-dom';
import { setAppNavigator } from '../lib/app-navigation.js';
import { AdminShell } from './admin-shell.js';
import { LoadingScreen } from './loading-screen.js';
import { RequireAdmin, RequireAuditor, RequireUser } from './guards.js';
import { RootLayout } from './root-layout.js';
import { RouteError } from './route-error.js';
import { whenShown } from './shown-location.js';

const home: RouteObject['lazy'] = async () => ({
  Component: (await import('../features/home/home-page.js')).HomePage,
});

const bookSave: RouteObject['lazy'] = async () => ({
  Component: (await import('../features/catalogue-admin/books/book-save-page.js')).BookSavePage,
});

const admin: RouteObject = {
  path: 'admin',
  element: (
    <RequireAdmin>
      <AdminShell />
    </RequireAdmin>
  ),
  children: [
    { index: true, element: <Navigate to="/admin/dashboard" replace /> },
    {
      path: 'dashboard',
      lazy: async () => ({
        Component: (await import('../features/dashboard/dashboard-page.js')).DashboardPage,
      }),
    },
    {
      path: 'books',
      lazy: async () => ({
        Component: (await import('../features/catalogue-admin/books/books-page.js')).BooksPage,
      }),
    },
    { path: 'books/save', lazy: bookSave },
    { path: 'books/save/:id', lazy: bookSave },
    {
      path: 'authors',
      lazy: async () => ({
        Component: (await import('../features/catalogue-admin/authorities/authority-pages.js')).AuthorsPage,
      }),
    },
    {
      path: 'genres',
      lazy: async () => ({
        Component: (await import('../features/catalogue-admin/authorities/authority-pages.js')).GenresPage,
      }),
    },
    {
      path: 'users',
      lazy: async () => ({ Component: (await import('../features/users/users-page.js')).UsersPage }),
    },
    {
      path: 'borrows',
      lazy: async () => ({ Component: (await import('../features/desk/queue-screen.js')).QueueScreen }),
    },
    {
      path: 'publishers',
      lazy: async () => ({
        Component: (await import('../features/catalogue-admin/authorities/authority-pages.js'))
          .PublishersPage,
      }),
    },
    {
      path: 'raports',
      lazy: async () => ({ Component: (await import('../features/reports/reports-page.js')).ReportsPage }),
    },
    {
      path: 'jobs',
      lazy: async () => ({
        Component: (await import('../features/job-queues/job-queues-page.js')).JobQueuesPage,
      }),
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
    {
      index: true,
      lazy: async () => ({ Component: (await import('../features/audit/audit-page.js')).AuditPage }),
    },
    {
      path: 'readers/:readerId',
      lazy: async () => ({
        Component: (await import('../features/audit/replay/replay-page.js')).ReplayPage,
      }),
    },
  ],
};

export const router = createHashRouter([
  {
    element: <RootLayout />,
    errorElement: <RouteError />,
    hydrateFallbackElement: <LoadingScreen />,
    children: [
      {
        // A failing screen keeps the navigation bar.
        errorElement: <RouteError />,
        children: [
          { index: true, lazy: home },
          { path: 'home', lazy: home },
          {
            path: 'catalog',
            lazy: async () => ({
              Component: (await import('../features/catalogue/catalogue-page.js')).CataloguePage,
            }),
          },
          {
            path: 'book/:id',
            lazy: async () => ({ Component: (await import('../features/book/book-page.js')).BookPage }),
          },
          {
            path: 'cart',
            lazy: async () => ({ Component: (await import('../features/cart/cart-page.js')).CartPage }),
          },
          {
            path: 'login',
            lazy: async () => ({ Component: (await import('../features/login/login-page.js')).LoginPage }),
          },
          {
            path: 'register',
            lazy: async () => ({
              Component: (await import('../features/registration/registration-page.js')).RegistrationPage,
            }),
          },
          {
            path: 'email-notification',
            lazy: async () => ({
              Component: (await import('../features/registration/email-notification-page.js'))
                .EmailNotificationPage,
            }),
          },
          {
            path: 'confirm-email',
            lazy: async () => ({
              Component: (await import('../features/registration/confirm-email-page.js')).ConfirmEmailPage,
            }),
          },
          {
            path: 'forgot-password',
            lazy: async () => ({
              Component: (await import('../features/password/forgot-password-page.js')).ForgotPasswordPage,
            }),
          },
          {
            path: 'reset-password',
            lazy: async () => ({
              Component: (await import('../features/password/reset-password-page.js')).ResetPasswordPage,
            }),
          },
          {
            path: 'profile',
            lazy: async () => {
              const { ProfilePage } = await import('../features/profile/profile-page.js');
              return {
                element: (
                  <RequireUser>
                    <ProfilePage />
                  </RequireUser>
                ),
              };
            },
          },
          {
            path: 'profile/security',
            lazy: async () => {
              const { SecurityPage } = await import('../features/security/security-page.js');
              return {
                element: (
                  <RequireUser>
                    <SecurityPage />
                  </RequireUser>
                ),
              };
            },
          },
          {
            path: 'payment/success',
            lazy: async () => {
              const { PaymentSuccessPage } = await import('../features/payment/payment-success-page.js');
              return {
                element: (
                  <RequireUser>
                    <PaymentSuccessPage />
                  </RequireUser>
                ),
              };
            },
          },
          {
            path: 'payment/fail',
            lazy: async () => ({
              Component: (await import('../features/payment/payment-fail-page.js')).PaymentFailPage,
            }),
          },
          {
            path: 'not-found',
            lazy: async () => ({
              Component: (await import('../features/failures/not-found-page.js')).NotFoundPage,
            }),
          },
          {
            path: 'server-error',
            lazy: async () => ({
              Component: (await import('../features/failures/server-error-page.js')).ServerErrorPage,
            }),
          },
          admin,
          audit,
          { path: '*', element: <Navigate to="/" replace /> },
        ],
      },
    ],
  },
]);

setAppNavigator({
  here: () => router.state.location.pathname + router.state.location.search,
  go: async (path, state) => {
    await router.navigate(path, { state, flushSync: true });
    await whenShown(router.state.location.key);
  },
});
