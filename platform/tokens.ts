/** Injection tokens for what is no class of ours. */
export const SETTINGS = Symbol('settings');
export const LOGGER = Symbol('logger');
export const DATABASE = Symbol('database');
export const EVENT_STORE = Symbol('event store');
