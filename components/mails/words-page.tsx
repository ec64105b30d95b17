"use client";
import Link from "next/link";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { Page } from "../ui/list-page";
import { Failed, Loading } from "../ui/states";
import styles from "./words.module.css";
import { WordsForm } from "./words-form";

/** What a newsletter's confirmation says, beside the mail as it will look. */
export function WordsPage() {
  const { newsletterId } = useViewer();
  const words = api.mails.words.useQuery({ newsletterId });
  return (
    <Page title="Confirmation mail">
      <p className={styles.back}>
        <Link href={`/n/${newsletterId}/mails`}>
          <icons.left /> Mails
        </Link>
      </p>
      {words.isPending && <Loading rows={6} />}
      {words.error && <Failed error={words.error} retry={() => words.refetch()} />}
      {words.data && <WordsForm key={newsletterId} words={words.data} />}
    </Page>
  );
}
