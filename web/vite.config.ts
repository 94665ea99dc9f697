import { defineConfig } from 'vite';

// One script with everything in it: the program writes it into each report.
export default defineConfig({
  build: {
    outDir: 'dist',
    target: 'es2022',
    cssCodeSplit: false,
    lib: { entry: 'src/report.ts', formats: ['iife'], name: 'HawserReport', fileName: () => 'report.js' },
  },
});
