/** Local storage that may be full, closed or absent: then nothing is kept, and nothing fails. */
export function readStored(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, value);
  } catch {
    // The page works without it.
  }
}

/** The same for as long as the window is open. */
export function readForWindow(key: string): string | null {
  try {
    return window.sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeForWindow(key: string, value: string): void {
  try {
    window.sessionStorage.setItem(key, value);
  } catch {
    // The page works without it.
  }
}
