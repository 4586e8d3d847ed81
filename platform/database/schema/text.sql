-- How texts are compared: by searches, by the uniqueness of names, by the list of readers.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- A text as searches compare it: no accents, no case, anything but letters and digits a blank.
create function search_plain(p_text text) returns text
language sql immutable strict parallel safe as $$
  select btrim(regexp_replace(
    lower(public.unaccent('public.unaccent'::regdictionary, normalize(p_text)) collate "und-x-icu"),
    '[^[:alnum:]]+', ' ', 'g'))
$$;

-- The words of what a person typed.
create function search_query_words(p_text text) returns text[]
language sql immutable strict parallel safe as $$
  select coalesce(array_agg(left(w, 60)), '{}') from unnest(string_to_array(search_plain(p_text), ' ')) w where w <> ''
$$;

-- The words that a text is found by, some of them twice. "Spider-Man" is found by spider, man and spiderman;
-- "J.K." by j, k and jk. Few texts have such words, so the others are spared the work.
create function search_joined_words(p_text text, p_plain text) returns text[]
language sql immutable strict parallel safe as $$
  select coalesce(array_agg(left(w, 60)), '{}') from (
    select unnest(string_to_array(p_plain, ' ')) w
    union all
    select replace(search_plain(token), ' ', '') from regexp_split_to_table(p_text, '\s+') token
    where token ~ '[[:alnum:]][^[:alnum:]]+[[:alnum:]]'
  ) found where w <> ''
$$;

create function search_words(p_text text, p_plain text) returns text[]
language sql immutable parallel safe as $$
  select case when p_text ~ '[[:alnum:]][^[:alnum:][:space:]]+[[:alnum:]]|[^[:space:]]{60}'
    then search_joined_words(p_text, p_plain) else string_to_array(p_plain, ' ') end
$$;

-- How a folded word sounds, so that a name that is written in another alphabet's way is known again: its consonants, those that languages
-- write for each other as one. "Dostojewski" and "Dostoyevsky" are dstvsk, "Szekspir" and "Shakespeare" skspr.
create function search_sound(p_word text) returns text
language sql immutable strict parallel safe as $$
  select regexp_replace(regexp_replace(
    translate(
      regexp_replace(regexp_replace(replace(replace(p_word, 'x', 'ks'), 'ph', 'f'), 'sch|sh|sz|zh|rz', 's', 'g'),
        'tch|cz|ch|kh|ck|ts|tz', 'k', 'g'),
      'wzcqgh', 'vskkkk'),
    '(?<!^)[aeiouyj]', '', 'g'), '(.)\1+', '\1', 'g')
$$;

-- "J. R. R." as "J.R.R.", which is found by jrr too.
create function search_initials(p_name text) returns text
language sql immutable strict parallel safe as $$
  select regexp_replace(p_name, '(?<=\m[[:alpha:]][.])\s+(?=[[:alpha:]][.])', '', 'g')
$$;

-- A text without accents and case, its other characters as they are: an e-mail address keeps its shape.
create function search_folded(p_text text) returns text
language sql immutable strict parallel safe as $$
  select lower(public.unaccent('public.unaccent'::regdictionary, normalize(p_text)) collate "und-x-icu")
$$;

-- A name as it is compared with others: no accents, no case, single blanks. Unlike search_plain it keeps signs,
-- as "C" and "C++" are two names.
create function fold_name(p_text text) returns text
language sql immutable strict parallel safe as $$
  select btrim(regexp_replace(
    lower(public.unaccent('public.unaccent'::regdictionary, normalize(p_text)) collate "und-x-icu"),
    '\s+', ' ', 'g'))
$$;

-- Of these names each once, in their order, without those that the thing has in any case: spelling does not count.
create function other_names(p_given text[], p_own text[]) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(name order by place), '{}') from (
    select distinct on (plain) name, plain, place
    from unnest(p_given) with ordinality given (name, place), search_plain(name) plain
    where plain <> '' order by plain, place) each_once
  where not exists (select from unnest(p_own) own where search_plain(own) = plain)
$$;
