/** Where to go, for what happens outside components (a refused call, an ended session). */
export interface AppNavigator {
  /** The path and query the person is at. */
  here(): string;
  go(path: string, state?: unknown): void | Promise<void>;
}

let navigator: AppNavigator = { here: () => '/', go: () => undefined };

export function setAppNavigator(next: AppNavigator): void {
  navigator = next;
}

export const appNavigation: AppNavigator = {
  here: () => navigator.here(),
  go: (path, state) => navigator.go(path, state),
};

/** Why the login page is shown. */
export interface LoginState {
  /** Path and query to return to. */
  from?: string | undefined;
  /** What a guest was about to do there, and still wants to. */
  then?: 'rent' | 'reserve' | undefined;
  /** The session has ended: no question about unsaved changes can keep the person where they were. */
  sessionOver?: true;
}
