import { Button } from "@mantine/core";
import { useTranslations } from "use-intl";
import { suppressionSentences } from "@/server/suppressions/schema/suppression-messages";
import { useViewer } from "../shell/viewer";
import { fromServer } from "../texts/server-sentences";
import { api, type Outputs } from "../trpc";
import { notifying } from "../ui/notify";
import { Banner } from "../ui/states";
import { Time } from "../ui/time";

/** Explains a person's suppression and the possible actions. Hidden without a suppression. */
export function SuppressionBanner({ person }: { person: Outputs["people"]["get"]["person"] }) {
  const t = useTranslations("people.suppression");
  const { newsletterId, mayEdit } = useViewer();
  const allow = api.people.allowMail.useMutation(notifying(t("allowed", { email: person.email })));
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
            {t("allow")}
          </Button>
        )
      }
    >
      {fromServer(suppressionSentences[suppression.reason])}{" "}
      {t.rich("reported", { time: () => <Time at={suppression.createdAt} /> })}
    </Banner>
  );
}
