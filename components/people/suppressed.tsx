import { Button } from "@mantine/core";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { Time } from "../ui/time";
import styles from "./person.module.css";

type Person = Outputs["people"]["get"]["person"];

const reasons = {
  bounced:
    "This address takes no mail: its mail server said so for good. Correct the address, and they are asked anew.",
  complained:
    "Its reader marked a mail of this newsletter as spam. They are not written to again; their own link can still confirm.",
  denied: "Its reader said “this wasn’t me”. They are not written to again.",
};

/** Why a person is not written to, and the way out where there is one. Nothing when they are. */
export function Suppressed({ person }: { person: Person }) {
  const { newsletterId, mayEdit } = useViewer();
  const utils = api.useUtils();
  const allow = api.people.allowMail.useMutation({
    onSuccess: () => {
      notify(`${person.email} can be written to again.`);
      void utils.people.invalidate();
      void utils.mails.invalidate();
    },
    onError: notifyError,
  });
  const { suppression } = person;
  if (!suppression) return null;
  return (
    <div className={styles.note}>
      <p>
        {reasons[suppression.reason]} Reported <Time at={suppression.createdAt} />.
      </p>
      {mayEdit && suppression.reason === "bounced" && (
        <Button
          variant="default"
          loading={allow.isPending}
          onClick={() => allow.mutate({ newsletterId, id: person.id })}
        >
          Write to this address again
        </Button>
      )}
    </div>
  );
}
