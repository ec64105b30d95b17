import type { ComponentType, ReactNode } from "react";
import { type Screen, ScreenTexts } from "./screen-texts";

/** Returns a page or a layout with the texts of its screens. */
export function withTexts(of: readonly Screen[], Page: ComponentType<{ children: ReactNode }>) {
  return function PageWithTexts({ children }: { children?: ReactNode }) {
    return (
      <ScreenTexts of={of}>
        <Page>{children}</Page>
      </ScreenTexts>
    );
  };
}
