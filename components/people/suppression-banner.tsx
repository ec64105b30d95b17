import { Button } from "@mantine/core";
import { suppressionSentences } from "@/server/contract/suppressions";
import { useViewer } from "../shell/viewer";
import { api, type Outputs } from "../trpc";
import { notify, notifyError } from "../ui/notify";
import { Banner } from "../ui/states";
import { Time } from "../ui/time";

/** Why a person is not written to, and what can be done about it; nothing when they are. */
export function SuppressionBanner({ person }: { person: Outputs["people"]["get"]["person"] }) {
  const { newsletterId, mayEdit } = useViewer();
  const allow = api.people.allowMail.useMutation({
    onSuccess: () => notify(`${person.email} can receive email again.`),
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
            Allow email to this address
          </Button>
        )
      }
    >
      {suppressionSentences[suppression.reason]} Reported <Time at={suppression.createdAt} />.
    </Banner>
  );
}
