import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

const SERVER = 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
  // `#contracts/...` then leads to the sources, not to the compiled server side.
  resolve: { conditions: ['lectern-source', ...defaultClientConditions] },
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2022',
    // A chunk that is shared would otherwise run before what its importer imports first.
    rolldownOptions: { output: { strictExecutionOrder: true } },
  },
  server: { proxy: { '/api': SERVER, '/socket.io': { target: SERVER, ws: true } } },
});
