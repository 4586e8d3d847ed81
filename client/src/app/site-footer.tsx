import { Link, useLocation } from 'react-router-dom';
import { contact, usageRules } from '../domain/house-rules.js';
import * as m from '#words/messages.js';
import { isSetUpAwaited, libraryTitle, LIBRARY_PAGE_NAMES, ownPages } from '../domain/library.js';
import { useUser } from '../lib/session.js';
import { LanguageLinks } from './language.js';
import { OpeningHours } from './opening-hours.js';

/** What holds in the house, when it is open and how it is reached: at the foot of every page of readers. */
export function SiteFooter() {
  const user = useUser();
  // Nobody can find or become anything here yet.
  const isNothingToSee = isSetUpAwaited() && !user;
  const isHome = ['/', '/home'].includes(useLocation().pathname);
  const links: [string, string][] = isNothingToSee
    ? []
    : user
      ? [
          ['/catalog', m.catalog_title()],
          ['/profile', m.common_my_profile()],
          ['/lists', m.lists_title()],
        ]
      : [
          ['/catalog', m.catalog_title()],
          ['/register', m.home_become_reader()],
        ];
  links.push(...ownPages().map((page): [string, string] => [`/${page}`, LIBRARY_PAGE_NAMES[page]]));
  return (
    <footer className="border-t border-line bg-sunk print:hidden">
      <div className="flex flex-wrap gap-x-16 gap-y-8 w-full max-w-page mx-auto p-gutter pt-8 pb-10">
        <section className="flex-[1_1_12rem]" aria-labelledby="contact">
          <h2 id="contact">{libraryTitle}</h2>
          <p className="mt-2 max-w-80 text-1 whitespace-pre-line">
            <Contact text={contact()} />
          </p>
          <ul role="list" className="flex flex-wrap gap-x-5 mt-2 text-1">
            {links.map(([to, name]) => (
              <li key={to}>
                <Link to={to} className="inline-flex items-center min-h-11 text-accent-text">
                  {name}
                </Link>
              </li>
            ))}
            <LanguageLinks />
          </ul>
        </section>
        {!isNothingToSee && <OpeningHours />}
        {!isNothingToSee && (
          <details
            // Whole where the library introduces itself.
            open={isHome}
            key={String(isHome)}
            className="flex-[2_1_24rem]"
          >
            <summary className="w-fit cursor-pointer font-serif text-3 font-medium leading-[1.15]">
              {m.site_usage_rules()}
            </summary>
            <ol className="mt-3 pl-6 columns-2 gap-x-8 text-1 to-760:columns-1 [&>li]:mb-2 [&>li]:pl-1 [&>li]:break-inside-avoid [&>li::marker]:text-accent-text">
              {usageRules().map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
            </ol>
          </details>
        )}
      </div>
    </footer>
  );
}

/** A text of which the mail addresses lead to a letter. */
function Contact({ text }: { text: string }) {
  if (text === '') return m.site_contact_usual();
  return text.split(/([^\s@,;]+@[^\s@,;]+\.[^\s@,;.]+)/).map((part, at) =>
    at % 2 === 1 ? (
      <a key={part} href={`mailto:${part}`} className="text-accent-text">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
