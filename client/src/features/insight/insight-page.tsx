import * as m from '#words/messages.js';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { INSIGHTS, type Insight, type InsightQuery } from '#contracts/insight/insight.js';
import listPage from '../../components/list/list-page.module.css';
import { PartLinks } from '../../components/display/part-links.js';
import { SpanTools } from '../../domain/span-tools.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { EventsPart } from './events-part.js';
import { GenresPart, IdlePart, TitlesPart } from './titles-part.js';
import { HoursPart } from './hours-part.js';
import {
  namedSpans,
  useAddressOf,
  useInsightAddress,
  useIsInAdminArea,
  usualSpan,
} from './insight-address.js';
import { WantedPart } from './wanted-part.js';
import { PART_NAMES } from './labels.js';

const PARTS: Record<Insight, (props: { span: InsightQuery }) => ReactNode> = {
  titles: TitlesPart,
  genres: GenresPart,
  idle: IdlePart,
  wanted: WantedPart,
  hours: HoursPart,
};

/** What the log can be asked, for librarians (in the admin area) and auditors (in theirs). */
export function InsightPage() {
  usePageTitle(m.insight_title());
  const isInAdminArea = useIsInAdminArea();
  const address = useInsightAddress();
  const [{ part, from, to, what, bookId, genreId, hour }, change] = address;
  const usual = usualSpan();
  const span = { from: from ?? usual.from, to: to ?? usual.to };
  const Part = PARTS[part];
  // The administration has a heading of its own over all its pages.
  const Heading = isInAdminArea ? 'h2' : 'h1';
  return (
    <div className={isInAdminArea ? undefined : 'w-full max-w-304 my-0 mx-auto p-gutter pt-6 pb-16'}>
      <header className={listPage.head}>
        <Heading className={listPage.title}>{m.insight_title()}</Heading>
        {!isInAdminArea && <Link to="/audit">{m.common_back_to_readers()}</Link>}
      </header>
      {what === null ? (
        <>
          <SpanTools
            span={span}
            spans={namedSpans()}
            onChange={(chosen) =>
              change(chosen.from === usual.from && chosen.to === usual.to ? { from: null, to: null } : chosen)
            }
          />
          <Parts part={part} />
          {/* Other days are other figures: nothing of theirs is kept. */}
          <Part key={`${part} ${span.from} ${span.to}`} span={span} />
        </>
      ) : (
        <EventsPart
          figure={{
            ...span,
            what,
            bookId: bookId ?? undefined,
            genreId: genreId ?? undefined,
            hour: hour ?? undefined,
          }}
          address={address}
        />
      )}
    </div>
  );
}

function Parts({ part }: { part: Insight }) {
  const addressOf = useAddressOf();
  return (
    <PartLinks
      label={m.insight_questions()}
      parts={INSIGHTS}
      current={part}
      addressOf={(each) => addressOf({ part: each })}
      className="[--parts-gap:var(--space-5)] mb-4"
    >
      {(each) => PART_NAMES[each]}
    </PartLinks>
  );
}
