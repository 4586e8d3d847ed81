import './content-policy.js';
import './public-address.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/site.css';
import './language.js';
import './theme-toggle.js';
import { App } from './app.js';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
