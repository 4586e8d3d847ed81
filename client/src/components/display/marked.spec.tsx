import { render } from '@testing-library/react';
import type { MessagePart } from '#words/messages.js';
import { Marked } from './marked.js';

const text = (value: string): MessagePart => ({ type: 'text', value });
const mark = (type: 'start' | 'end' | 'standalone', name: string): MessagePart => ({
  type: `markup-${type}`,
  name,
});

it('shows what is marked as it is told, with the words around it', () => {
  const { container } = render(
    <Marked
      parts={[
        text('Read '),
        mark('start', 'link'),
        text('the rules of '),
        text('Lectern'),
        mark('end', 'link'),
        text(','),
        mark('standalone', 'line'),
        mark('start', 'strong'),
        text('then'),
        mark('end', 'strong'),
        text(' write.'),
      ]}
      as={{
        link: (children) => <a href="/rules">{children}</a>,
        strong: (children) => <strong>{children}</strong>,
        line: () => <br />,
      }}
    />,
  );
  expect(container.innerHTML).toBe(
    'Read <a href="/rules">the rules of Lectern</a>,<br><strong>then</strong> write.',
  );
});
