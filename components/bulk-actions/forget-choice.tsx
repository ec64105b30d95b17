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
        A fingerprint of the address stays, which nobody can read: they said no, so nobody can add them back
        but they themselves.
      </p>
    );
  return (
    <>
      <p>
        A fingerprint of the address stays, which nobody can read, so that no list or sign-up adds them back
        unasked.
      </p>
      <Checkbox
        checked={forget}
        onChange={(event) => onChange(event.currentTarget.checked)}
        label="Forget the address too"
        description={
          left === null
            ? "A later list can then add them again. Who unsubscribed, complained or denied is not forgotten."
            : "Nothing remembers that they were here: a later list can add them again."
        }
      />
    </>
  );
}
