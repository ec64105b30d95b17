import { Anchor, type AnchorProps } from "@mantine/core";
import type { ComponentProps } from "react";

type Props = AnchorProps & Omit<ComponentProps<"button">, keyof AnchorProps>;

/** A button that looks like a link, for an action within text. */
export function LinkButton(props: Props) {
  return <Anchor component="button" type="button" size="sm" {...props} />;
}
