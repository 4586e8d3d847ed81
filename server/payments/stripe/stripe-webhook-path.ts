/** Where Stripe sends its events. Their signature covers the raw body. */
export const STRIPE_WEBHOOK_PATH = '/api/Payment/webhook';
