import { AUTHORS, GENRES, PUBLISHERS } from './authority-kinds.js';
import { AuthorityScreen } from './authority-screen.js';

export const AuthorsPage = () => <AuthorityScreen kind={AUTHORS} />;
export const GenresPage = () => <AuthorityScreen kind={GENRES} />;
export const PublishersPage = () => <AuthorityScreen kind={PUBLISHERS} />;
