import type { Override } from "@/server/imports/list-parser/list-types";

/** A list that is stored only on this machine, so a reload loses nothing. */
export type Draft = {
  text: string;
  fileName: string | null;
  override: Override;
  kept: string[];
  /** The import of this list. The draft stays until the import is done. */
  importId: string | null;
};

const STORE = "lists";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("rollcall-drafts", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
let database: Promise<IDBDatabase> | undefined;

/**
 * Reads or writes the browser's IndexedDB, the only place with drafts. A private window may lack it, and a full disk
 * rejects drafts. Then a reload starts with an empty form.
 */
async function request(mode: IDBTransactionMode, make: (store: IDBObjectStore) => IDBRequest) {
  try {
    database ??= open();
    const transaction = (await database).transaction(STORE, mode, { durability: "relaxed" });
    const made = make(transaction.objectStore(STORE));
    // An explicit commit lets the browser finish the write while the page closes.
    transaction.commit();
    return await new Promise<unknown>((resolve, reject) => {
      made.onsuccess = () => resolve(made.result);
      made.onerror = () => reject(made.error);
    });
  } catch {
    return null;
  }
}

/** The draft of one newsletter, or null. */
export const findDraft = async (newsletterId: string) =>
  ((await request("readonly", (store) => store.get(newsletterId))) ?? null) as Draft | null;

/** Stores a draft. An empty text deletes it. */
export const saveDraft = (newsletterId: string, draft: Draft) =>
  request("readwrite", (store) =>
    draft.text === "" ? store.delete(newsletterId) : store.put(draft, newsletterId),
  );
