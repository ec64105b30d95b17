export default function Home() {
  return (
    <main className="note">
      <h1>Rollcall</h1>
      <p className="lead">The subscriber roll of a newsletter.</p>
      <p className="more">
        Integrations speak to <code>/api/v1</code>. Setting up for the first time? Open the link that the
        terminal printed.
      </p>
    </main>
  );
}
