import { useLocalStorage } from "@mantine/hooks";
import { useViewer } from "../shell/viewer";
import { type Column, columns, defaultColumns } from "./person-fields";

const isColumn = (name: unknown): name is Column => (columns as readonly unknown[]).includes(name);

/** What was stored; by an earlier version maybe, or by a hand. */
function readColumns(text: string | undefined): Column[] {
  try {
    const stored: unknown = JSON.parse(text ?? "");
    if (Array.isArray(stored)) return [...new Set(stored.filter(isColumn))];
  } catch {
    // Not ours.
  }
  return defaultColumns;
}

/** The columns of the list, in order, as this browser remembers them for the newsletter. */
export function useColumns(): [Column[], (chosen: Column[]) => void] {
  const { newsletterId } = useViewer();
  const [chosen, setChosen] = useLocalStorage<Column[]>({
    key: `rollcall-columns-${newsletterId}`,
    defaultValue: defaultColumns,
    deserialize: readColumns,
    // The table is not drawn on the server, and must not change its columns once it is there.
    getInitialValueInEffect: false,
  });
  return [chosen, setChosen];
}
