import { Checkbox } from "@mantine/core";
import { useTranslations } from "use-intl";

type Props = {
  forget: boolean;
  onChange(forget: boolean): void;
  /** Whether they left, so that their address can't be forgotten; null when some may have. */
  left: boolean | null;
};

/** What is remembered of who is erased: a fingerprint that keeps their address off the list, or nothing. */
export function ForgetChoice({ forget, onChange, left }: Props) {
  const t = useTranslations("bulkActions.forget");
  if (left) return <p>{t("keptForOptOut")}</p>;
  return (
    <>
      <p>{t("kept")}</p>
      <Checkbox
        checked={forget}
        onChange={(event) => onChange(event.currentTarget.checked)}
        label={t("label")}
        description={left === null ? t("ofMany") : t("ofOne")}
      />
    </>
  );
}
