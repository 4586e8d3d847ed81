/** A breach of a rule of lint, in a file of its own. */
interface Seed {
  rule: string;
  path: string;
  text: string;
}

/** Of the rules that stand for what others prove elsewhere: of React, of rows, and of scripts that no compiler reads. */
export const lintSeeds: Seed[] = [
  {
    rule: 'react-hooks(rules-of-hooks)',
    path: 'client/src/condition.tsx',
    text: `import { useState } from 'react';
export function Part({ on }: { on: boolean }) {
  if (on) useState(1);
  return null;
}`,
  },
  {
    rule: 'react-hooks(exhaustive-deps)',
    path: 'client/src/dependencies.tsx',
    text: `import { useEffect } from 'react';
export function Part({ title }: { title: string }) {
  useEffect(() => { document.title = title; }, []);
  return null;
}`,
  },
  {
    rule: 'react(static-components)',
    path: 'client/src/component-within.tsx',
    text: `export function Part({ title }: { title: string }) {
  const Inner = () => <b>{title}</b>;
  return <Inner />;
}`,
  },
  {
    rule: 'react(use-memo)',
    path: 'client/src/memo.tsx',
    text: `import { useMemo } from 'react';
export function Part({ title }: { title: string }) {
  const later = useMemo(async () => title, [title]);
  return <b>{String(later)}</b>;
}`,
  },
  {
    rule: 'react(preserve-manual-memoization)',
    path: 'client/src/memoization.tsx',
    text: `import { useCallback, useState } from 'react';
export function usePart(row: { current: HTMLElement | null }) {
  const [, setStart] = useState(0);
  return useCallback(() => {
    if (row.current) setStart(row.current.scrollLeft);
  }, [row]);
}`,
  },
  {
    rule: 'react(incompatible-library)',
    path: 'client/src/library.tsx',
    text: `import { useForm } from 'react-hook-form';
export function Part() {
  const { watch } = useForm<{ title: string }>();
  return <b>{watch('title')}</b>;
}`,
  },
  {
    rule: 'react(immutability)',
    path: 'client/src/property.tsx',
    text: `export function Part({ book }: { book: { title: string } }) {
  book.title = 'Emma';
  return <b>{book.title}</b>;
}`,
  },
  {
    rule: 'react(globals)',
    path: 'client/src/variable.tsx',
    text: `let drawn = 0;
export function Part() {
  drawn += 1;
  return <b>{drawn}</b>;
}`,
  },
  {
    rule: 'react(refs)',
    path: 'client/src/reference.tsx',
    text: `import { useRef } from 'react';
export function Part() {
  const count = useRef(0);
  return <b>{count.current}</b>;
}`,
  },
  {
    rule: 'react(set-state-in-effect)',
    path: 'client/src/effect.tsx',
    text: `import { useEffect, useState } from 'react';
export function Part({ count }: { count: number }) {
  const [twice, setTwice] = useState(0);
  useEffect(() => { setTwice(count * 2); }, [count]);
  return <b>{twice}</b>;
}`,
  },
  {
    rule: 'react(error-boundaries)',
    path: 'client/src/boundary.tsx',
    text: `export function Part({ Child }: { Child: () => null }) {
  try {
    return <Child />;
  } catch {
    return null;
  }
}`,
  },
  {
    rule: 'react(purity)',
    path: 'client/src/time.tsx',
    text: `export function Part() {
  return <b>{Date.now()}</b>;
}`,
  },
  {
    rule: 'react(set-state-in-render)',
    path: 'client/src/render.tsx',
    text: `import { useState } from 'react';
export function Part() {
  const [count, setCount] = useState(0);
  setCount(1);
  return <b>{count}</b>;
}`,
  },
  {
    rule: 'react(unsupported-syntax)',
    path: 'client/src/syntax.tsx',
    text: `export function Part({ code }: { code: string }) {
  return <b>{eval(code) as string}</b>;
}`,
  },
  {
    rule: 'lectern(parsed-rows)',
    path: 'platform/typed-rows.ts',
    text: `declare const pool: { query<Row>(sql: string): Promise<{ rows: Row[] }> };
export const ids = () => pool.query<{ id: string }>('select id from book');`,
  },
  {
    rule: 'lectern(parsed-rows)',
    path: 'server/taken-rows.ts',
    text: `declare const pool: { query(sql: string): Promise<{ rows: { id: string }[] }> };
export async function ids() {
  const { rows } = await pool.query('select id from book');
  return rows;
}`,
  },
  {
    rule: 'eslint(no-undef)',
    path: 'scripts/script.mjs',
    text: `console.log(document.title);`,
  },
  {
    rule: 'eslint(no-undef)',
    path: 'client/public/page.js',
    text: `console.log(document.title, process.env);`,
  },
  {
    rule: 'eslint(no-redeclare)',
    path: 'scripts/twice.cjs',
    text: `var count = process.argv.length;
var count = module.id;
console.log(count);`,
  },
];
