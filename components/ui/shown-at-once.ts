import { notifyError } from "./notify";

/** What a query found, as it stands in the browser. */
type Found<Data> = {
  cancel(): Promise<unknown>;
  get(): Data | undefined;
  set(data: Data | undefined): void;
};

/**
 * Options of a mutation whose result is shown before the server has answered, and taken back with a message when it rejects.
 * @param next what the query will find then
 */
export function shownAtOnce<Data, Input>(found: Found<Data>, next: (before: Data, input: Input) => Data) {
  return {
    async onMutate(input: Input) {
      // An answer under way is from before the change.
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
