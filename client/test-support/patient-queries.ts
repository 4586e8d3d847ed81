import { configure, getConfig } from '@testing-library/react';

const { getElementError } = getConfig();
const isWaiting = () =>
  (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics;

/** It is told with the page once somebody asks what it says: when what was waited for has not come. */
function lateError(message: string | null, container: Element): Error {
  const error = new Error();
  error.name = 'TestingLibraryElementError';
  const told = () => getElementError(message, container).message;
  return Object.defineProperty(error, 'message', { configurable: true, get: told });
}

configure({
  // The usual second is no measure on a busy machine. A query that finds what it waits for returns at once all the same.
  asyncUtilTimeout: 60_000,
  // To write down the whole page at each look for what has yet to come is dear.
  getElementError: (message, container) => (isWaiting() ? lateError : getElementError)(message, container),
});
