/** For `z.preprocess`: an empty query value counts as none. */
export function emptyAsUndefined(value: unknown): unknown {
  return value === '' ? undefined : value;
}
