export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="note">
      <p className="status off">Not found</p>
      <h1>There is no page here</h1>
      <p className="lead">The address may be mistyped, or the page has moved. Nothing was changed.</p>
      <p className="more">
        <a href="/">Go to the start page</a>
      </p>
    </main>
  );
}
