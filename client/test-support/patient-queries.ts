import { configure } from '@testing-library/react';

// The usual second is no measure on a busy machine. A query that finds what it waits for returns at once all the same.
configure({ asyncUtilTimeout: 60_000 });
