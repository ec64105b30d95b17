import { notifyError } from "./notify";

/** A query's cached result in the browser. */
type Found<Data> = {
  cancel(): Promise<unknown>;
  get(): Data | undefined;
  set(data: Data | undefined): void;
};

/**
 * Options for an optimistic mutation: the result is shown at once, and reverted with a message after a rejection.
 * @param next the query's expected result
 */
export function shownAtOnce<Data, Input>(found: Found<Data>, next: (before: Data, input: Input) => Data) {
  return {
    async onMutate(input: Input) {
      // A pending answer predates the change and would overwrite it.
      await found.cancel();
      const before = found.get();
      if (before !== undefined) found.set(next(before, input));
      return { before };
    },
    onError(error: unknown, _input: Input, context: { before: Data | undefined } | undefined) {
      if (context) found.set(context.before);
      notifyError(error);
    },
  };
}
