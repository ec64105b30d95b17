import { Note } from "@/components/ui/note";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Note title="Page not found">
      <p>The address may be mistyped, or the page was moved.</p>
      <p>
        <a href="/">Go to the start page</a>
      </p>
    </Note>
  );
}
