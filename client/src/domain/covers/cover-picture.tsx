import { classNames } from '../../lib/class-names.js';
import styles from './book-cover.module.css';

interface CoverPictureProps {
  url: string;
  /** Empty where the title stands beside it. */
  alt: string;
  className?: string | undefined;
  /** The browser cannot show it. */
  onError?: () => void;
}

/** A picture as a book's cover, of any proportion: it fills the 2:3 place from its middle, wherever it is shown. */
export function CoverPicture({ url, alt, className, onError }: CoverPictureProps) {
  return (
    <span className={classNames(styles.cover, className)}>
      <img
        className="block w-full h-full object-cover [filter:var(--picture-filter)]"
        src={url}
        alt={alt}
        loading="lazy"
        decoding="async"
        onError={onError}
      />
    </span>
  );
}
