const seed = (rule, path, text) => ({ rule, path, text });

/** Files that break one rule of lint each: of React, of rows, of the globals of tests, and of scripts that no compiler reads. */
export const lintSeeds = [
  seed(
    'react-hooks(rules-of-hooks)',
    'client/src/condition.tsx',
    `import { useState } from 'react';
export function Part({ on }: { on: boolean }) {
  if (on) useState(1);
  return null;
}`,
  ),
  seed(
    'react-hooks(exhaustive-deps)',
    'client/src/dependencies.tsx',
    `import { useEffect } from 'react';
export function Part({ title }: { title: string }) {
  useEffect(() => { document.title = title; }, []);
  return null;
}`,
  ),
  seed(
    'react(static-components)',
    'client/src/component-within.tsx',
    `export function Part({ title }: { title: string }) {
  const Inner = () => <b>{title}</b>;
  return <Inner />;
}`,
  ),
  seed(
    'react(use-memo)',
    'client/src/memo.tsx',
    `import { useMemo } from 'react';
export function Part({ title }: { title: string }) {
  const later = useMemo(async () => title, [title]);
  return <b>{String(later)}</b>;
}`,
  ),
  seed(
    'react(preserve-manual-memoization)',
    'client/src/memoization.tsx',
    `import { useCallback, useState } from 'react';
export function usePart(row: { current: HTMLElement | null }) {
  const [, setStart] = useState(0);
  return useCallback(() => {
    if (row.current) setStart(row.current.scrollLeft);
  }, [row]);
}`,
  ),
  seed(
    'react(incompatible-library)',
    'client/src/library.tsx',
    `import { useForm } from 'react-hook-form';
export function Part() {
  const { watch } = useForm<{ title: string }>();
  return <b>{watch('title')}</b>;
}`,
  ),
  seed(
    'react(immutability)',
    'client/src/property.tsx',
    `export function Part({ book }: { book: { title: string } }) {
  book.title = 'Emma';
  return <b>{book.title}</b>;
}`,
  ),
  seed(
    'react(globals)',
    'client/src/variable.tsx',
    `let drawn = 0;
export function Part() {
  drawn += 1;
  return <b>{drawn}</b>;
}`,
  ),
  seed(
    'react(refs)',
    'client/src/reference.tsx',
    `import { useRef } from 'react';
export function Part() {
  const count = useRef(0);
  return <b>{count.current}</b>;
}`,
  ),
  seed(
    'react(set-state-in-effect)',
    'client/src/effect.tsx',
    `import { useEffect, useState } from 'react';
export function Part({ count }: { count: number }) {
  const [twice, setTwice] = useState(0);
  useEffect(() => { setTwice(count * 2); }, [count]);
  return <b>{twice}</b>;
}`,
  ),
  seed(
    'react(error-boundaries)',
    'client/src/boundary.tsx',
    `export function Part({ Child }: { Child: () => null }) {
  try {
    return <Child />;
  } catch {
    return null;
  }
}`,
  ),
  seed(
    'react(purity)',
    'client/src/time.tsx',
    `export function Part() {
  return <b>{Date.now()}</b>;
}`,
  ),
  seed(
    'react(set-state-in-render)',
    'client/src/render.tsx',
    `import { useState } from 'react';
export function Part() {
  const [count, setCount] = useState(0);
  setCount(1);
  return <b>{count}</b>;
}`,
  ),
  seed(
    'react(unsupported-syntax)',
    'client/src/syntax.tsx',
    `export function Part({ code }: { code: string }) {
  return <b>{eval(code) as string}</b>;
}`,
  ),
  seed(
    'lectern(parsed-rows)',
    'platform/typed-rows.ts',
    `declare const pool: { query<Row>(sql: string): Promise<{ rows: Row[] }> };
export const ids = () => pool.query<{ id: string }>('select id from book');`,
  ),
  seed(
    'lectern(parsed-rows)',
    'server/taken-rows.ts',
    `declare const pool: { query(sql: string): Promise<{ rows: { id: string }[] }> };
export async function ids() {
  const { rows } = await pool.query('select id from book');
  return rows;
}`,
  ),
  seed('eslint(no-restricted-globals)', 'circulation/tested.ts', `expect(1).toBe(1);`),
  seed('eslint(no-restricted-globals)', 'client/src/tested.tsx', `jest.useFakeTimers();`),
  seed('eslint(no-undef)', 'scripts/script.mjs', `console.log(document.title);`),
  seed('eslint(no-undef)', 'client/public/page.js', `console.log(document.title, process.env);`),
  seed(
    'eslint(no-redeclare)',
    'scripts/twice.cjs',
    `var count = process.argv.length;
var count = module.id;
console.log(count);`,
  ),
];
