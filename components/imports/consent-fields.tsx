import { Checkbox, Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import type { Texts } from "../texts/texts";
import { RejectedError } from "../ui/error-of";

type Props = {
  /** With `source`, `wording` and `agreed`. */
  form: { getInputProps(path: string, options?: { type: "checkbox" }): object; errors: object };
  /** Number of people that the consent statement covers. */
  added: number;
  /** Name of the newsletter that may email them. */
  newsletter: string;
};

/** The rejection of a form with an unticked consent box. */
export function notAgreed(t: Texts<"imports.consent">): RejectedError {
  const errors = { agreed: [t("notAgreed")] };
  return new RejectedError({ message: "", errors, code: "validation_error" });
}

/** Staff state where and in which words people agreed, and that they agreed. */
export function ConsentFields({ form, added, newsletter }: Props) {
  const t = useTranslations("imports.consent");
  return (
    <>
      <TextInput
        label={t("source")}
        placeholder={t("sourceExample")}
        autoComplete="off"
        maxLength={200}
        {...form.getInputProps("source")}
      />
      <Textarea
        label={t("wording")}
        description={t("wordingHint")}
        autosize
        minRows={1}
        maxRows={4}
        {...form.getInputProps("wording")}
      />
      <Checkbox
        label={t("agreed", { n: added, newsletter })}
        aria-invalid={"agreed" in form.errors || undefined}
        {...form.getInputProps("agreed", { type: "checkbox" })}
      />
    </>
  );
}
