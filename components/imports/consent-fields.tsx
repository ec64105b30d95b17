import { Checkbox, Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "use-intl";
import type { Texts } from "../texts/texts";
import { RejectedError } from "../ui/error-of";

type Props = {
  /** With `source`, `wording` and `agreed`. */
  form: { getInputProps(path: string, options?: { type: "checkbox" }): object; errors: object };
  /** How many it is stated of. */
  added: number;
  /** The name of who may write to them. */
  newsletter: string;
};

/** What a form is rejected with whose box is not ticked. */
export function notAgreed(t: Texts<"imports.consent">): RejectedError {
  const errors = { agreed: [t("notAgreed")] };
  return new RejectedError({ message: "", errors, code: "validation_error" });
}

/** What staff state of the consent of those they make active: where, in what words, and that they did. */
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
