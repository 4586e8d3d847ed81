import * as m from '#words/messages.js';
import type { ComponentProps } from 'react';
import { Button } from '../../components/form/button.js';
import { usePlaceHold, type WantedTitle } from './hold-commands.js';

interface ReserveButtonProps extends Pick<ComponentProps<typeof Button>, 'look' | 'size' | 'className'> {
  book: WantedTitle;
  /** The word on it. */
  children?: string;
  onReserved?: () => void;
}

/** Has the signed-in reader wait for a title. Pressed twice, they wait once. */
export function ReserveButton({
  book,
  children = m.holds_reserve(),
  onReserved,
  ...rest
}: ReserveButtonProps) {
  const place = usePlaceHold();
  return (
    <Button
      {...rest}
      busy={place.isPending}
      aria-label={`${children}: ${book.title}`}
      onClick={(event) => {
        const { id, title } = book;
        if (event.detail < 2) place.mutate({ id, title }, onReserved && { onSuccess: onReserved });
      }}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
    >
      {children}
    </Button>
  );
}
