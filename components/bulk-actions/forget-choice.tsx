import { Checkbox } from "@mantine/core";
import { useTranslations } from "use-intl";

type Props = {
  forget: boolean;
  onChange(forget: boolean): void;
  /** Whether the people opted out, so their address can't be forgotten; null when some may have. */
  left: boolean | null;
};

/** Chooses what remains of erased people: a fingerprint that keeps their address off the list, or no data. */
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
