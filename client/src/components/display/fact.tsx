import type { HTMLAttributes, ReactNode } from 'react';

interface FactProps extends HTMLAttributes<HTMLDivElement> {
  name: ReactNode;
  children: ReactNode;
}

/** A named fact, in a `dl`. */
export function Fact({ name, children, ...attributes }: FactProps) {
  return (
    <div {...attributes}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
