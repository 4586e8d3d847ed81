import FileUp from 'lucide-react/icons/file-up';
import { useRef, type ComponentProps } from 'react';
import { Button } from './button.js';

interface FileButtonProps extends Omit<ComponentProps<typeof Button>, 'icon' | 'onClick'> {
  /** What the chooser itself is called. */
  label: string;
  /** As the attribute of an input takes it. */
  accept: string;
  onFile: (file: File) => void;
}

/** A button that asks for a file; the same one may be chosen again. */
export function FileButton({ label, accept, onFile, ...button }: FileButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        accept={accept}
        className="visually-hidden"
        aria-label={label}
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
      <Button {...button} icon={FileUp} onClick={() => chooser.current?.click()} />
    </>
  );
}
