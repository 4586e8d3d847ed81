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
  /** In a sentence. */
  noun: readonly [one: string, many: string];
  /** What merges call it. */
  kind: AuthorityName;
  /** In titles and messages. */
  name: string;
  heading: string;
  addButton: string;
  calls: AuthorityCalls<Item, Body>;
  remove: (id: number) => Promise<unknown>;
  sorts: readonly { value: Sort; label: string }[];
  usualSort: Sort;
  columns: readonly AuthorityColumn<Item>[];
  fields: readonly AuthorityField<keyof Body & string>[];
  nameOf: (authority: Item) => string;
  deleteQuestion: string;
  deleted: string;
  notAdded: string;
  notUpdated: string;
}

export const AUTHORS: AuthorityKind<Author, AuthorBody, AuthorSort> = {
  noun: ['author', 'authors'],
  kind: 'author',
  name: 'Author',
  heading: 'Authors',
  addButton: m.common_add_author(),
  calls: AUTHOR_CALLS,
  remove: (id) => send(removeAuthor, { params: { id } }),
  sorts: [
    { value: 'Firstname', label: m.common_firstname() },
    { value: 'Lastname', label: m.common_lastname() },
    { value: 'Nationality', label: 'Nationality' },
  ],
  usualSort: 'Lastname',
  columns: [
    { title: m.common_firstname(), text: ({ firstname }) => firstname, look: 'name' },
    { title: m.common_lastname(), text: ({ lastname }) => lastname, look: 'name' },
    { title: 'Nationality', text: ({ nationality }) => nationality },
  ],
  fields: [
    {
      name: 'firstname',
      label: m.common_firstname(),
      required: `${m.common_firstname()} is required (2-50 characters).`,
    },
    {
      name: 'lastname',
      label: m.common_lastname(),
      required: `${m.common_lastname()} is required (2-50 characters).`,
    },
    { name: 'nationality', label: 'Nationality', required: 'Nationality is required (2-50 characters).' },
    {
      name: 'biography',
      label: 'Biography',
      required: 'Biography is required (10-1000 characters).',
      type: 'multiline',
    },
    {
      name: 'otherNames',
      label: 'Other names',
      hint: 'One a line: other spellings, pen names. Searches find them too. Optional.',
      type: 'lines',
    },
  ],
  nameOf: ({ fullname }) => fullname,
  deleteQuestion: 'Are you sure you want to delete this author?',
  deleted: m.common_author_deleted(),
  notAdded: 'Failed to add author',
  notUpdated: 'Failed to update author',
};

export const GENRES: AuthorityKind<Genre, GenreBody, GenreSort> = {
  noun: ['genre', 'genres'],
  kind: 'genre',
  name: 'Genre',
  heading: 'Genres',
  addButton: m.common_add_genre(),
  calls: GENRE_CALLS,
  remove: (id) => send(removeGenre, { query: { id } }),
  sorts: [
    { value: 'NameA-Z', label: 'Name A-Z' },
    { value: 'NameZ-A', label: 'Name Z-A' },
  ],
  usualSort: 'NameA-Z',
  columns: [
    { title: 'Name', text: ({ name }) => name, look: 'name' },
    { title: 'Description', text: ({ description }) => description, look: 'wide' },
  ],
  fields: [
    { name: 'name', label: 'Name', required: 'Name is required (2-50 characters).' },
    {
      name: 'description',
      label: 'Description',
      required: 'Description is required (10-500 characters).',
      type: 'multiline',
    },
  ],
  nameOf: ({ name }) => name,
  deleteQuestion: m.common_delete_genre_question(),
  deleted: m.common_genre_deleted(),
  notAdded: 'Failed to add genre',
  notUpdated: m.common_genre_not_updated(),
};

export const PUBLISHERS: AuthorityKind<Publisher, PublisherBody, PublisherSort> = {
  noun: ['publisher', 'publishers'],
  kind: 'publisher',
  name: 'Publisher',
  heading: m.common_publishers_heading(),
  addButton: m.common_add_publisher_button(),
  calls: PUBLISHER_CALLS,
  remove: (id) => send(removePublisher, { params: { id } }),
  sorts: [
    { value: 'NameA-Z', label: 'Name A-Z' },
    { value: 'NameZ-A', label: 'Name Z-A' },
    { value: 'AddressA-Z', label: 'Address A-Z' },
    { value: 'AddressZ-A', label: 'Address Z-A' },
  ],
  usualSort: 'NameA-Z',
  columns: [
    { title: 'Name', text: ({ name }) => name, look: 'name' },
    { title: 'Address', text: ({ adress }) => adress },
    { title: 'Phone', text: ({ phone }) => phone },
    { title: 'Website', text: ({ website }) => website, cell: ({ website }) => <Website url={website} /> },
  ],
  fields: [
    { name: 'name', label: 'Name', required: 'Name is required (2-100 characters).' },
    { name: 'adress', label: 'Address', required: 'Address is required (5-200 characters).' },
    {
      name: 'phone',
      label: 'Phone',
      required: 'Invalid phone number format (e.g., +48 123-456-789)',
      type: 'tel',
    },
    {
      name: 'website',
      label: 'Website',
      required: 'Invalid website URL (e.g., https://www.example.com)',
      type: 'url',
    },
  ],
  nameOf: ({ name }) => name,
  deleteQuestion: 'Are you sure you want to delete this publisher?',
  deleted: m.common_publisher_deleted(),
  notAdded: m.common_publisher_not_added(),
  notUpdated: 'Failed to update publisher',
};
