import { notifyError } from "./notify";

/** A query of `api.useUtils()`. */
type Cached<Data, Key> = {
  cancel(key: Key): Promise<unknown>;
  getData(key: Key): Data | undefined;
  setData(key: Key, data: NoInfer<Data> | undefined): unknown;
};

/**
 * Options for an optimistic mutation: the result is shown at once, and reverted with a message after a rejection.
 * @param next the query's expected result
 */
export function shownAtOnce<Data, Key, Input>(
  cached: Cached<Data, Key>,
  key: Key,
  next: (before: Data, input: Input) => Data,
) {
  return {
    async onMutate(input: Input) {
      // A pending answer predates the change and would overwrite it.
      await cached.cancel(key);
      const before = cached.getData(key);
      if (before !== undefined) cached.setData(key, next(before, input));
      return { before };
    },
    onError(error: unknown, _input: Input, context: { before: Data | undefined } | undefined) {
      if (context) cached.setData(key, context.before);
      notifyError(error);
    },
  };
}
