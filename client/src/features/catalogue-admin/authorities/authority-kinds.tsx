import type { ReactNode } from 'react';
import {
  AUTHOR_CALLS,
  GENRE_CALLS,
  PUBLISHER_CALLS,
  removeAuthor,
  removeGenre,
  removePublisher,
  type Author,
  type AuthorBody,
  type AuthorityCalls,
  type AuthorityName,
  type AuthorSort,
  type Genre,
  type GenreBody,
  type GenreSort,
  type Publisher,
  type PublisherBody,
  type PublisherSort,
} from '#contracts/catalogue/authorities.js';
import { Website } from '../../../components/form/website.js';
import * as m from '#words/messages.js';
import { send } from '../../../lib/api/send.js';

/** What every author, genre and publisher has. */
export interface Authority {
  id: number;
  version: number;
}

export interface AuthorityColumn<Item> {
  title: string;
  /** The whole text; for the pointer too, where the cell may cut it. */
  text: (authority: Item) => string;
  /** What the cell shows, if not the text. */
  cell?: (authority: Item) => ReactNode;
  /** `name` stands out; `wide` takes the room that is left. */
  look?: 'name' | 'wide';
}

export interface AuthorityField<Name extends string = string> {
  name: Name;
  label: string;
  /** Shown while it is empty; the form enforces nothing more (specification, section 5). None: it may be empty. */
  required?: string;
  hint?: string;
  /** Of `lines` each is a text of its own. */
  type?: 'text' | 'tel' | 'url' | 'multiline' | 'lines';
}

/** Authors, genres or publishers: how they are called, asked for, shown and edited. */
export interface AuthorityKind<Item extends Authority & Body, Body extends object, Sort extends string> {
  kind: AuthorityName;
  heading: string;
  addButton: string;
  searchHint: string;
  calls: AuthorityCalls<Item, Body>;
  remove: (id: number) => Promise<unknown>;
  sorts: readonly { value: Sort; label: string }[];
  usualSort: Sort;
  columns: readonly AuthorityColumn<Item>[];
  fields: readonly AuthorityField<keyof Body & string>[];
  nameOf: (authority: Item) => string;
  deleteQuestion: string;
  deleted: string;
  added: string;
  updated: string;
  notAdded: string;
  notUpdated: string;
}

export const AUTHORS: AuthorityKind<Author, AuthorBody, AuthorSort> = {
  kind: 'author',
  heading: m.common_authors(),
  addButton: m.common_add_author(),
  searchHint: m.authority_search_authors_by_name(),
  calls: AUTHOR_CALLS,
  remove: (id) => send(removeAuthor, { params: { id } }),
  sorts: [
    { value: 'Firstname', label: m.common_firstname() },
    { value: 'Lastname', label: m.common_lastname() },
    { value: 'Nationality', label: m.authority_nationality() },
  ],
  usualSort: 'Lastname',
  columns: [
    { title: m.common_firstname(), text: ({ firstname }) => firstname, look: 'name' },
    { title: m.common_lastname(), text: ({ lastname }) => lastname, look: 'name' },
    { title: m.authority_nationality(), text: ({ nationality }) => nationality },
  ],
  fields: [
    {
      name: 'firstname',
      label: m.common_firstname(),
      required: m.authority_firstname_required(),
    },
    {
      name: 'lastname',
      label: m.common_lastname(),
      required: m.authority_lastname_required(),
    },
    { name: 'nationality', label: m.authority_nationality(), required: m.authority_nationality_required() },
    {
      name: 'biography',
      label: m.authority_biography(),
      required: m.authority_biography_required(),
      type: 'multiline',
    },
    {
      name: 'otherNames',
      label: m.authority_other_names(),
      hint: m.authority_other_names_hint(),
      type: 'lines',
    },
  ],
  nameOf: ({ fullname }) => fullname,
  deleteQuestion: m.authority_delete_author_question(),
  deleted: m.common_author_deleted(),
  added: m.authority_author_added(),
  updated: m.authority_author_updated(),
  notAdded: m.authority_author_not_added(),
  notUpdated: m.authority_author_not_updated(),
};

export const GENRES: AuthorityKind<Genre, GenreBody, GenreSort> = {
  kind: 'genre',
  heading: m.common_genres(),
  addButton: m.common_add_genre(),
  searchHint: m.authority_search_genres_by_name(),
  calls: GENRE_CALLS,
  remove: (id) => send(removeGenre, { query: { id } }),
  sorts: [
    { value: 'NameA-Z', label: m.authority_name_a_z() },
    { value: 'NameZ-A', label: m.authority_name_z_a() },
  ],
  usualSort: 'NameA-Z',
  columns: [
    { title: m.common_name(), text: ({ name }) => name, look: 'name' },
    { title: m.common_description(), text: ({ description }) => description, look: 'wide' },
  ],
  fields: [
    { name: 'name', label: m.common_name(), required: m.authority_genre_name_required() },
    {
      name: 'description',
      label: m.common_description(),
      required: m.authority_description_required(),
      type: 'multiline',
    },
  ],
  nameOf: ({ name }) => name,
  deleteQuestion: m.common_delete_genre_question(),
  deleted: m.common_genre_deleted(),
  added: m.authority_genre_added(),
  updated: m.authority_genre_updated(),
  notAdded: m.authority_genre_not_added(),
  notUpdated: m.common_genre_not_updated(),
};

export const PUBLISHERS: AuthorityKind<Publisher, PublisherBody, PublisherSort> = {
  kind: 'publisher',
  heading: m.common_publishers_heading(),
  addButton: m.common_add_publisher_button(),
  searchHint: m.authority_search_publishers_by_name(),
  calls: PUBLISHER_CALLS,
  remove: (id) => send(removePublisher, { params: { id } }),
  sorts: [
    { value: 'NameA-Z', label: m.authority_name_a_z() },
    { value: 'NameZ-A', label: m.authority_name_z_a() },
    { value: 'AddressA-Z', label: m.authority_address_a_z() },
    { value: 'AddressZ-A', label: m.authority_address_z_a() },
  ],
  usualSort: 'NameA-Z',
  columns: [
    { title: m.common_name(), text: ({ name }) => name, look: 'name' },
    { title: m.authority_address(), text: ({ adress }) => adress },
    { title: m.common_phone(), text: ({ phone }) => phone },
    {
      title: m.authority_website(),
      text: ({ website }) => website,
      cell: ({ website }) => <Website url={website} />,
    },
  ],
  fields: [
    { name: 'name', label: m.common_name(), required: m.authority_publisher_name_required() },
    { name: 'adress', label: m.authority_address(), required: m.authority_address_required() },
    {
      name: 'phone',
      label: m.common_phone(),
      required: m.authority_phone_invalid(),
      type: 'tel',
    },
    {
      name: 'website',
      label: m.authority_website(),
      required: m.authority_website_invalid(),
      type: 'url',
    },
  ],
  nameOf: ({ name }) => name,
  deleteQuestion: m.authority_delete_publisher_question(),
  deleted: m.common_publisher_deleted(),
  added: m.authority_publisher_added(),
  updated: m.authority_publisher_updated(),
  notAdded: m.common_publisher_not_added(),
  notUpdated: m.authority_publisher_not_updated(),
};
