import type { Draft } from "./messages";

const NAME = "rollcall-drafts";
const STORE = "lists";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Stores drafts only in the browser's IndexedDB. A private window may lack IndexedDB, and a full disk rejects drafts.
 * Then a reload starts with an empty form.
 */
export class DraftStore {
  #database: IDBDatabase | null = null;
  readonly #opening = open().then(
    (database) => {
      this.#database = database;
    },
    () => {},
  );

  /** The draft of one newsletter, or null. */
  async find(newsletterId: string): Promise<Draft | null> {
    await this.#opening;
    const found = await this.#request("readonly", (store) => store.get(newsletterId));
    return (found as Draft | undefined) ?? null;
  }

  /** Starts the write before the first `await`. An empty text deletes the draft. */
  async save(newsletterId: string, draft: Draft): Promise<void> {
    if (!this.#database) await this.#opening;
    await this.#request("readwrite", (store) =>
      draft.text === "" ? store.delete(newsletterId) : store.put(draft, newsletterId),
    );
  }

  async #request(mode: IDBTransactionMode, make: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    try {
      const transaction = this.#database?.transaction(STORE, mode, { durability: "relaxed" });
      if (!transaction) return null;
      const request = make(transaction.objectStore(STORE));
      // An explicit commit lets the browser finish the write while the page closes.
      transaction.commit();
      return await new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    } catch {
      return null;
    }
  }
}
