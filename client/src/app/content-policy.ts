import { setNonce } from 'get-nonce';

// The policy lets only such style elements be added as have this page's nonce: that of an open dialog needs it.
setNonce(document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '');
