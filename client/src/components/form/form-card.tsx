import type { ReactNode } from 'react';
import { classNames } from '../../lib/class-names.js';

/** A narrow page around one form or one message. */
export function FormCard({
  title,
  lead,
  wide = false,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** For what does not fit beside a margin. */
  wide?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="flex justify-center py-[clamp(var(--space-5),6vw,var(--space-7))] px-4">
      <div
        className={classNames('flex flex-col gap-6', wide ? 'w-[min(100%,56rem)]' : 'w-[min(100%,30rem)]')}
      >
        <h1 className="pb-3 [border-bottom:3px_double_var(--line-strong)]">{title}</h1>
        {lead && <p className="quiet">{lead}</p>}
        {children}
      </div>
    </div>
  );
}
