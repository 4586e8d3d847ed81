import { UNSAFE_createHashHistory, type RouteObject } from 'react-router-dom';
import { isSetUpAwaited } from '../domain/library.js';
import { setAppNavigator } from '../lib/app-navigation.js';
import { lazyRoutes } from '../lib/router/lazy-page.js';
import { createSiteRouter } from '../lib/router/site-router.js';
import { RequireStaff, RequireUser } from './guards.js';
import { page, RouteBoundary, RouteOutlet, unknownPage } from './route-error.js';
import { BareLayout, RootLayout, whenShown } from './root-layout.js';

const home = () => import('../features/home/home-page.js');
const setUp = () => import('../features/set-up/set-up-page.js');
/** Nobody has an account yet: there is nothing to see but how that is changed. */
const firstPage = isSetUpAwaited() ? page(undefined, setUp, 'SetUpPage') : page(undefined, home, 'HomePage');

/** Most of the site's addresses, none of which a reader goes to. */
const admin: RouteObject = {
  element: <RequireStaff />,
  children: [lazyRoutes('admin', async () => (await import('./staff-routes.js')).adminRoutes)],
};

/** The steps of the set-up once there is an admin: they have what the rules and books of staff have. */
const setUpAfterwards: RouteObject = {
  element: <RequireStaff />,
  children: [lazyRoutes('set-up', async () => (await import('./staff-routes.js')).setUpRoutes)],
};

const audit: RouteObject = {
  element: <RequireStaff />,
  children: [lazyRoutes('audit', async () => (await import('./staff-routes.js')).auditRoutes)],
};

const routes: RouteObject[] = [
  {
    // A screen of its own, which leads nowhere else.
    element: (
      <RouteBoundary>
        <BareLayout />
      </RouteBoundary>
    ),
    children: [page('kiosk', () => import('../features/kiosk/kiosk-page.js'), 'KioskPage')],
  },
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
          firstPage,
          page('set-up', setUp, 'SetUpPage'),
          setUpAfterwards,
          page('home', home, 'HomePage'),
          page('catalog', () => import('../features/catalogue/catalogue-page.js'), 'CataloguePage'),
          page('book/:id', () => import('../features/book/book-page.js'), 'BookPage'),
          page('list/:token', () => import('../features/lists/shared-list-page.js'), 'SharedListPage'),
          page('shelf/:id', () => import('../features/lists/shelf-page.js'), 'ShelfPage'),
          page('cart', () => import('../features/cart/cart-page.js'), 'CartPage'),
          page('login', () => import('../features/login/login-page.js'), 'LoginPage'),
          page('sign-on/:key', () => import('../features/login/sign-on-page.js'), 'SignOnPage'),
          page('register', () => import('../features/registration/registration-page.js'), 'RegistrationPage'),
          page(
            'email-notification',
            () => import('../features/registration/email-notification-page.js'),
            'EmailNotificationPage',
          ),
          page(
            'confirm-email',
            () => import('../features/registration/confirm-email-page.js'),
            'ConfirmEmailPage',
          ),
          page(
            'forgot-password',
            () => import('../features/password/forgot-password-page.js'),
            'ForgotPasswordPage',
          ),
          page(
            'reset-password',
            () => import('../features/password/reset-password-page.js'),
            'ResetPasswordPage',
          ),
          {
            element: <RequireUser />,
            children: [
              page('profile', () => import('../features/profile/profile-page.js'), 'ProfilePage'),
              page('lists', () => import('../features/lists/lists-page.js'), 'ListsPage'),
              page('lists/:id', () => import('../features/lists/list-page.js'), 'ListPage'),
              page('profile/security', () => import('../features/security/security-page.js'), 'SecurityPage'),
              page(
                'payment/success',
                () => import('../features/payment/payment-success-page.js'),
                'PaymentSuccessPage',
              ),
            ],
          },
          page('payment/fail', () => import('../features/payment/payment-fail-page.js'), 'PaymentFailPage'),
          page('imprint', () => import('../features/library/own-page.js'), 'ImprintPage'),
          page('privacy', () => import('../features/library/own-page.js'), 'PrivacyPage'),
          page('not-found', () => import('../features/failures/not-found-page.js'), 'NotFoundPage'),
          page('server-error', () => import('../features/failures/server-error-page.js'), 'ServerErrorPage'),
          admin,
          audit,
          unknownPage,
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
