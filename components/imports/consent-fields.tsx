import { Checkbox, Textarea, TextInput } from "@mantine/core";
import { RejectedError } from "../ui/error-of";
import { people } from "../ui/numbers";

type Props = {
  /** With `source`, `wording` and `agreed`. */
  form: { getInputProps(path: string, options?: { type: "checkbox" }): object; errors: object };
  /** How many it is stated of. */
  added: number;
  /** The name of who may write to them. */
  newsletter: string;
};

/** What a form is rejected with whose box is not ticked. */
export function notAgreed(): RejectedError {
  const errors = { agreed: ["You can only add people who agreed to receive this newsletter."] };
  return new RejectedError({ message: "", errors, code: "validation_error" });
}

/** What staff state of the consent of those they make active: where, in what words, and that they did. */
export function ConsentFields({ form, added, newsletter }: Props) {
  return (
    <>
      <TextInput
        label="Where did they agree?"
        placeholder="Sign-up sheet at the spring fair"
        autoComplete="off"
        maxLength={200}
        {...form.getInputProps("source")}
      />
      <Textarea
        label="Consent wording"
        description="Optional. Stored with the people as proof of consent."
        autosize
        minRows={1}
        maxRows={4}
        {...form.getInputProps("wording")}
      />
      <Checkbox
        label={`${added === 1 ? "This person has" : `These ${people(added)} have`} agreed to receive ${newsletter}.`}
        aria-invalid={"agreed" in form.errors || undefined}
        {...form.getInputProps("agreed", { type: "checkbox" })}
      />
    </>
  );
}
