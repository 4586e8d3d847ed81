import { createContext } from 'react';

/** What a cover is made of: a picture where there is one, otherwise the book itself. */
export interface CoveredBook {
  id: number;
  title: string;
  authors: readonly { firstname: string; lastname: string }[];
  genres: readonly { name: string }[];
  photo: { url: string } | null;
}

/** The books whose covers are seen beside each other, no two of which look alike. */
export const CoversBeside = createContext<readonly CoveredBook[]>([]);
