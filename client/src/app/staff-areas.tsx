import type { LucideIcon } from 'lucide-react';
import Activity from 'lucide-react/icons/activity';
import ArrowDownUp from 'lucide-react/icons/arrow-down-up';
import Banknote from 'lucide-react/icons/banknote';
import Bookmark from 'lucide-react/icons/bookmark';
import BookCopy from 'lucide-react/icons/book-copy';
import BookOpenCheck from 'lucide-react/icons/book-open-check';
import Building2 from 'lucide-react/icons/building-complex';
import ChartColumn from 'lucide-react/icons/chart-column';
import ConciergeBell from 'lucide-react/icons/concierge-bell';
import CopyCheck from 'lucide-react/icons/copy-check';
import Feather from 'lucide-react/icons/feather';
import FileDown from 'lucide-react/icons/file-down';
import HeartPulse from 'lucide-react/icons/heart-pulse';
import History from 'lucide-react/icons/rotate-ccw-clock';
import Landmark from 'lucide-react/icons/landmark';
import LibraryBig from 'lucide-react/icons/library-big';
import ScanBarcode from 'lucide-react/icons/scan-barcode';
import Scale from 'lucide-react/icons/scale';
import SearchX from 'lucide-react/icons/search-x';
import SunMedium from 'lucide-react/icons/sun-medium';
import Tags from 'lucide-react/icons/tags';
import UsersRound from 'lucide-react/icons/users-round';
import Webhook from 'lucide-react/icons/webhook';
import { NavLink } from 'react-router-dom';
import * as m from '#words/messages.js';
import { mayEnter } from '../domain/staff-pages.js';
import { useUser } from '../lib/session.js';

interface Area {
  path: string;
  name: string;
  icon: LucideIcon;
}

/** Where staff can go: the menu, in its groups, and the places that "Find anything" knows. An area is one line here. */
const GROUPS: readonly { name: string; areas: readonly Area[] }[] = [
  {
    name: m.site_area_desk(),
    areas: [
      { path: '/admin/dashboard', name: m.site_area_today(), icon: SunMedium },
      { path: '/admin/desk', name: m.site_area_lending(), icon: ConciergeBell },
      { path: '/admin/borrows', name: m.common_borrows(), icon: BookOpenCheck },
      { path: '/admin/holds', name: m.common_holds(), icon: Bookmark },
      { path: '/admin/till', name: m.site_area_till(), icon: Banknote },
    ],
  },
  {
    name: m.site_area_collection(),
    areas: [
      { path: '/admin/books', name: m.common_books(), icon: BookCopy },
      { path: '/admin/authors', name: m.common_authors(), icon: Feather },
      { path: '/admin/genres', name: m.common_genres(), icon: Tags },
      { path: '/admin/publishers', name: m.site_area_publishers(), icon: Building2 },
      { path: '/admin/imports', name: m.site_area_imports(), icon: ArrowDownUp },
      { path: '/admin/duplicates', name: m.site_area_duplicates(), icon: CopyCheck },
      { path: '/admin/lists', name: m.site_area_lists(), icon: LibraryBig },
      { path: '/admin/stock-taking', name: m.site_area_stock_taking(), icon: ScanBarcode },
    ],
  },
  {
    name: m.common_readers(),
    areas: [
      { path: '/admin/users', name: m.common_readers(), icon: UsersRound },
      { path: '/admin/raports/searches', name: m.site_area_searches(), icon: SearchX },
      { path: '/audit', name: m.common_audit(), icon: History },
    ],
  },
  {
    name: m.site_administration(),
    areas: [
      { path: '/admin/raports', name: m.common_reports(), icon: FileDown },
      { path: '/admin/insight', name: m.site_area_statistics(), icon: ChartColumn },
      { path: '/admin/rules', name: m.common_rules(), icon: Scale },
      { path: '/admin/library', name: m.site_area_library(), icon: Landmark },
      { path: '/admin/house', name: m.status_title(), icon: HeartPulse },
      { path: '/admin/webhooks', name: m.webhooks_title(), icon: Webhook },
      { path: '/admin/jobs', name: m.common_jobs(), icon: Activity },
    ],
  },
];

const AREAS = GROUPS.flatMap(({ areas }) => areas);

/** The groups with the areas that whoever is signed in may enter. */
function useGroups() {
  const user = useUser();
  return GROUPS.map(({ name, areas }) => ({
    name,
    areas: areas.filter(({ path }) => mayEnter(path, user)),
  })).filter(({ areas }) => areas.length > 0);
}

export const useAreas = () => useGroups().flatMap(({ areas }) => areas);

/** Whether an area's page has another area's below it: then only the very page is its own. */
const isAbove = (path: string) => AREAS.some((other) => other.path.startsWith(`${path}/`));

/** The areas in their groups. @param onGo somebody chose one, be it the one they are in */
export function AreaLinks({ onGo }: { onGo?: () => void }) {
  return useGroups().map(({ name, areas }) => (
    <div key={name} className="not-first:mt-2 to-960:not-first:mt-4">
      {/* No heading: the page's own are found by them. */}
      <p className="px-3 pb-0.5 text-1 font-medium text-ink-soft" aria-hidden="true">
        {name}
      </p>
      <ul role="list" aria-label={name}>
        {areas.map(({ path, name: area, icon: Icon }) => (
          <li key={path}>
            <NavLink
              to={path}
              end={isAbove(path)}
              {...(onGo && { onClick: onGo })}
              className={
                'flex items-center gap-3 min-h-6.5 py-0 px-3 rounded text-ink no-underline hover:bg-sunk aria-[current=page]:bg-accent-wash aria-[current=page]:text-accent-text aria-[current=page]:font-strong to-960:min-h-11'
              }
            >
              <Icon size={17} aria-hidden="true" />
              {area}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  ));
}
