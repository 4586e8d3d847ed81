import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** What oxlint has no rule for; all others are in .oxlintrc.json, where the same ones take a hundredth of the time. */
export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'data/**', 'coverage/**'] },
  {
    // A type argument says what rows are and nothing checks it: a schema does.
    files: ['{platform,server,projections,embedded,cli}/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    extends: [tseslint.configs.base],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[typeArguments][callee.property.name='query']",
          message: 'Parse the rows: queryRows or queryRow with a schema.',
        },
        {
          selector:
            "VariableDeclarator[id.properties.0.key.name='rows'][init.type='AwaitExpression'][init.argument.callee.property.name='query']",
          message: 'Parse the rows: queryRows or queryRow with a schema.',
        },
      ],
    },
  },
  {
    files: ['client/**/*.ts', 'client/**/*.tsx'],
    extends: [tseslint.configs.base],
    plugins: { 'react-hooks': reactHooks },
    rules: { ...reactHooks.configs.recommended.rules },
  },
  { files: ['**/*.mjs', '**/*.cjs', '**/*.js'], extends: [eslint.configs.recommended] },
  {
    files: ['**/*.mjs', '**/*.cjs', '*.js'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        module: 'writable',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
      },
    },
  },
);
