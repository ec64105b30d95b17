import { WordsPage } from "@/components/mails/words-page";

export const metadata = { title: "Confirmation mail" };

export default function Page() {
  return <WordsPage />;
}
