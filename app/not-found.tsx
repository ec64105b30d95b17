import { Note } from "@/components/ui/note";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Note title="There is no page here">
      <p>The address may be mistyped, or the page has moved. Nothing was changed.</p>
      <p>
        <a href="/">Go to the start page</a>
      </p>
    </Note>
  );
}
