"use client";
import Link from "next/link";
import { useViewer } from "../shell/viewer";
import { api } from "../trpc";
import { icons } from "../ui/icons";
import { ListPage } from "../ui/list-page";
import { ConfirmationMailForm } from "./confirmation-mail-form";
import styles from "./mails.module.css";

/** The wording of a newsletter's confirmation, beside the mail as it will look. */
export function ConfirmationMailPage() {
  const { newsletterId } = useViewer();
  const query = api.mails.words.useQuery({ newsletterId });
  return (
    <ListPage
      title="Confirmation mail"
      query={query}
      tools={
        <Link href={`/n/${newsletterId}/mails`} className={styles.back}>
          <icons.left /> Mails
        </Link>
      }
    >
      {(wording) => <ConfirmationMailForm key={newsletterId} wording={wording} />}
    </ListPage>
  );
}
