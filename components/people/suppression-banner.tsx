import { Button } from "@mantine/core";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { Banner } from "../ui/states";
import { Time } from "../ui/time";

const reasons = {
  bounced:
    "This address takes no mail: its mail server said so for good. Correct the address, and they are asked anew.",
  complained:
    "Its reader marked a mail of this newsletter as spam. They are not written to again; their own link can still confirm.",
  denied: "Its reader said “this wasn’t me”. They are not written to again.",
};

/** Why a person is not written to, and what can be done about it; nothing when they are. */
export function SuppressionBanner({ person }: { person: Outputs["people"]["get"]["person"] }) {
  const { newsletterId, mayEdit } = useViewer();
  const allow = api.people.allowMail.useMutation({
    onSuccess: () => notify(`${person.email} can be written to again.`),
    onError: notifyError,
  });
  const { suppression } = person;
  if (!suppression) return null;
  return (
    <Banner
      tone="failed"
      action={
        mayEdit &&
        suppression.reason === "bounced" && (
          <Button
            variant="default"
            loading={allow.isPending}
            onClick={() => allow.mutate({ newsletterId, id: person.id })}
          >
            Write to this address again
          </Button>
        )
      }
    >
      {reasons[suppression.reason]} Reported <Time at={suppression.createdAt} />.
    </Banner>
  );
}
