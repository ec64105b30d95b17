import { Button, Modal, Stack } from "@mantine/core";
import { useTranslations } from "use-intl";
import { bold } from "../texts/bold";
import { useIsTop } from "../ui/dialog";
import { SignInSteps } from "./sign-in-steps";
import { useRecentSignIn } from "./who-it-is";

/** The dialog of `requireRecentSignIn`: the signed-in staff member signs in again. */
export default function RecentSignInDialog({ email }: { email: string }) {
  const t = useTranslations("signIn.again");
  const answer = useRecentSignIn();
  const isTop = useIsTop(answer !== null);
  return (
    <Modal.Root opened={answer !== null} onClose={() => isTop() && answer?.(false)} zIndex={300}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <Stack>
            {/* No header element: it would be a second banner, as this dialog covers another one. */}
            <Modal.Title>{t("title")}</Modal.Title>
            <p>{t.rich("text", { email, b: bold })}</p>
            <SignInSteps email={email} submit={t("confirm")} onSignedIn={() => answer?.(true)} />
            <Button variant="subtle" onClick={() => answer?.(false)}>
              {t("cancel")}
            </Button>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
