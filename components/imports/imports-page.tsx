"use client";
import { Page } from "../parts/page";
import { Empty } from "../parts/states";

/** Stands in until the bulk form is here. */
export function ImportsPage() {
  return (
    <Page title="Imports">
      <Empty title="No list has been pasted yet">
        A pasted list is checked line by line before anybody is added.
      </Empty>
    </Page>
  );
}
