import { useCallback, useEffect } from 'react';
import type { FieldValues, Resolver } from 'react-hook-form';
import { whenIdle } from './when-idle.js';

/** The rules of a form, loaded once its page is drawn: nothing asks for them before somebody has typed. */
export function useLateRules<Values extends FieldValues, Parsed>(
  load: () => Promise<Resolver<Values, unknown, Parsed>>,
): Resolver<Values, unknown, Parsed> {
  // Tried again when they are asked for; only then does a failure matter.
  useEffect(() => whenIdle(() => void load().catch(() => undefined)), [load]);
  return useCallback(async (...form) => (await load())(...form), [load]);
}
