import type { ReactNode } from 'react';

/** A narrow page around one form or one message. */
export function FormCard({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex justify-center py-[clamp(var(--space-5),6vw,var(--space-7))] px-4">
      <div className="w-[min(100%,30rem)] flex flex-col gap-6">
        <h1 className="pb-3 [border-bottom:3px_double_var(--line-strong)]">{title}</h1>
        {lead && <p className="quiet">{lead}</p>}
        {children}
      </div>
    </div>
  );
}
