import { useId } from 'react';

interface FileInputProps {
  label: string;
  /** Kinds of files, as browsers take them. */
  accept: string;
  disabled: boolean;
  onChoose: (file: File) => void;
}

/** Chooses a file that is read at once. */
export function FileInput({ label, accept, disabled, onChoose }: FileInputProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={disabled}
        className="max-w-full text-1 file:mr-3 file:px-4 file:py-2 file:border file:border-solid file:border-line-strong file:rounded file:bg-surface file:text-ink file:font-strong file:cursor-pointer"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file can be chosen again.
          target.value = '';
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
