import * as m from '#words/messages.js';
import { useEffect, useRef, useState } from 'react';
import { PICTURE_MAX_BYTES, PICTURE_TYPES } from '#contracts/pictures.js';

export interface ChosenCover {
  file: File;
  /** Where the browser shows it from. */
  url: string;
}

/** Why a file cannot be a cover; undefined when it can. */
function coverProblem(file: Pick<File, 'type' | 'size'>): string | undefined {
  if (!PICTURE_TYPES.some((type) => type === file.type)) return m.book_form_cover_wrong_type();
  if (file.size > PICTURE_MAX_BYTES)
    return m.book_form_cover_too_large({ size: PICTURE_MAX_BYTES / 1024 / 1024 });
  return undefined;
}

/** The picture that was chosen and not saved yet; a file that cannot be a cover leaves the one before. */
export function useChosenCover(kept: File | null, keptRemoved: boolean) {
  const [cover, setCover] = useState<ChosenCover | null>(null);
  /** The saved picture is to go. */
  const [removed, setRemoved] = useState(keptRemoved);
  const [problem, setProblem] = useState<string>();
  const url = useRef<string>(undefined);

  const take = (file: File | null) => {
    if (url.current) URL.revokeObjectURL(url.current);
    url.current = file ? URL.createObjectURL(file) : undefined;
    setCover(file && url.current ? { file, url: url.current } : null);
  };
  const choose = (file: File) => {
    const wrong = coverProblem(file);
    setProblem(wrong);
    if (!wrong) take(file);
  };
  const remove = () => {
    setProblem(undefined);
    take(null);
  };
  const refuse = () => {
    take(null);
    setProblem(m.book_form_cover_unreadable());
  };
  useEffect(() => {
    if (kept) take(kept);
    return () => {
      if (url.current) URL.revokeObjectURL(url.current);
    };
    // Once, for what was chosen before the person had to sign in again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return { cover, removed, problem, choose, remove, refuse, setRemoved };
}
