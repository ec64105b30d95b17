import type { Draft } from "./messages";

// In the browser's own database, and from the worker: a text of megabytes costs the page nothing, and goes nowhere.
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

async function within<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | null> {
  try {
    const database = await open();
    try {
      return await new Promise<T>((resolve, reject) => {
        const request = act(database.transaction(STORE, mode).objectStore(STORE));
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    } finally {
      database.close();
    }
  } catch {
    // A private window may have no database, and a full disk no room: then a reload begins with an empty form.
    return null;
  }
}

/** The draft of one newsletter, or null. */
export async function findDraft(newsletterId: string): Promise<Draft | null> {
  return ((await within("readonly", (store) => store.get(newsletterId))) as Draft | undefined) ?? null;
}

export async function saveDraft(newsletterId: string, draft: Draft): Promise<void> {
  await within("readwrite", (store) => store.put(draft, newsletterId));
}

export async function dropDraft(newsletterId: string): Promise<void> {
  await within("readwrite", (store) => store.delete(newsletterId));
}
