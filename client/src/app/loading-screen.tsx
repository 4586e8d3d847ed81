/** Shown until the first page is there; the same as in `index.html`, so that nothing moves between the two. */
export function LoadingScreen() {
  return (
    <div className="loading-screen" role="status">
      <span className="loading-mark" aria-hidden="true" />
      <span>Loading...</span>
    </div>
  );
}
