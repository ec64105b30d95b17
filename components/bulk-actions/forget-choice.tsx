import { Checkbox } from "@mantine/core";

type Props = {
  forget: boolean;
  onChange(forget: boolean): void;
  /** Whether they left, so that their address can't be forgotten; null when some may have. */
  left: boolean | null;
};

/** What is remembered of who is erased: a fingerprint that keeps their address off the list, or nothing. */
export function ForgetChoice({ forget, onChange, left }: Props) {
  if (left)
    return (
      <p>
        A fingerprint of the address is kept because they opted out. Only they can resubscribe. The address
        can’t be read from it.
      </p>
    );
  return (
    <>
      <p>
        A fingerprint of the address is kept, so that no import or sign-up adds them back without consent. The
        address can’t be read from it.
      </p>
      <Checkbox
        checked={forget}
        onChange={(event) => onChange(event.currentTarget.checked)}
        label="Forget the address too"
        description={
          left === null
            ? "A later import can then add them again. People who unsubscribed, reported spam or declined are not forgotten."
            : "No record is kept: a later import can add them again."
        }
      />
    </>
  );
}
