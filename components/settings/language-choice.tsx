import { NativeSelect } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { isLanguage } from "@/server/kernel/languages";
import { useViewer } from "../shell/viewer";
import { languageOptions } from "../texts/language-options";
import { api } from "../trpc";
import { notifyError } from "../ui/notify";

/** The staff member's language for the dashboard. */
export function LanguageChoice() {
  const t = useTranslations("settings.language");
  const { staff } = useViewer();
  const router = useRouter();
  const set = api.own.setLanguage.useMutation({ onSuccess: () => router.refresh(), onError: notifyError });
  return (
    <NativeSelect
      label={t("label")}
      description={t("description")}
      data={[{ value: "", label: t("browser") }, ...languageOptions]}
      value={staff.language ?? ""}
      disabled={set.isPending}
      onChange={({ currentTarget: { value } }) => set.mutate({ language: isLanguage(value) ? value : null })}
    />
  );
}
