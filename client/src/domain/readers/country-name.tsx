import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '../../components/list/placeholders.js';
import { pageLanguage } from '../../lib/texts.js';

/** A country in the language of the page. @param name its English name, which is stored: the list of the others comes where it is wanted */
export function CountryName({ name }: { name: string }) {
  const names = useQuery({
    queryKey: ['country-names'],
    queryFn: async () => (await import('./country-names.js')).COUNTRY_NAMES,
    enabled: pageLanguage() !== 'en',
    staleTime: Infinity,
    meta: { inPlace: true },
  });
  return names.isLoading ? <Skeleton width="6rem" /> : (names.data?.get(name) ?? name);
}
