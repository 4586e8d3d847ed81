import { zodResolver } from '@hookform/resolvers/zod';
import { loginBodySchema } from '#contracts/accounts/account-requests.js';

/** What the form asks of its fields. */
export const loginRules = zodResolver(loginBodySchema);
