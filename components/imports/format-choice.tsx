import { Anchor, Button, NativeSelect, Popover, Stack } from "@mantine/core";
import type { Delimiter, Override, Shape } from "@/server/domain/list-parser/list-types";
import { count, people } from "../ui/numbers";
import styles from "./form.module.css";
import type { List } from "./use-list";

const shapes: { value: Shape; label: string }[] = [
  { value: "lines", label: "Lines of text" },
  { value: "pairs", label: "A line for the name, a line for the address" },
  { value: "table", label: "A table" },
  { value: "json", label: "JSON" },
  { value: "vcard", label: "vCards" },
];
const delimiters: { value: Delimiter; label: string }[] = [
  { value: "\t", label: "Tabs" },
  { value: ",", label: "Commas" },
  { value: ";", label: "Semicolons" },
  { value: "|", label: "Pipe |" },
  { value: "^", label: "Caret ^" },
];

/** What the text was taken for, and how to correct that. */
export function FormatChoice({ list }: { list: List }) {
  const { reading, override, session } = list;
  if (!reading) return null;
  const { ignoredColumns, notes, shape } = reading;
  const corrected = Object.keys(override).length > 0;
  return (
    <div className={styles.format}>
      <p>
        Read as <b>{reading.format}</b>
        {list.fileName && <>, from {list.fileName}</>}.
        {shape !== "table" && ignoredColumns.length > 0 && (
          <>
            {" "}
            Ignored: {ignoredColumns.slice(0, 8).join(", ")}
            {ignoredColumns.length > 8 && ` and ${ignoredColumns.length - 8} more`}.
          </>
        )}{" "}
        <Popover width={300} position="bottom-start" shadow="md" trapFocus returnFocus>
          <Popover.Target>
            <Anchor component="button" type="button" size="sm">
              Change
            </Anchor>
          </Popover.Target>
          <Popover.Dropdown aria-label="How the list is read">
            <Corrections list={list} />
            {corrected && (
              <Button variant="subtle" mt="sm" onClick={() => session.setOverride({})}>
                Detect the format again
              </Button>
            )}
          </Popover.Dropdown>
        </Popover>
      </p>
      {reading.kept > 0 && (
        <p>
          {people(reading.kept)} kept although {reading.kept === 1 ? "it looks" : "they look"} mistyped.{" "}
          <Anchor component="button" type="button" size="sm" onClick={() => session.keep(null)}>
            Ask again
          </Anchor>
        </p>
      )}
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map(({ code, message, count: times, lines }) => (
            <li key={code}>
              {message}{" "}
              <span>
                {lines.length === 1
                  ? `Line ${lines[0]}.`
                  : `${count(times)} times, first on line ${lines[0]}.`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Corrections({ list }: { list: List }) {
  const { reading, override, session } = list;
  const setOverride = (next: Override) => session.setOverride(next);
  if (!reading) return null;
  const { shape } = reading;
  return (
    <Stack gap="sm">
      <NativeSelect
        label="The list is"
        value={shape}
        data={shapes}
        onChange={(event) => setOverride({ shape: event.currentTarget.value as Shape })}
      />
      {shape === "table" && (
        <>
          <NativeSelect
            label="Its cells are separated by"
            value={reading.delimiter ?? ","}
            data={delimiters}
            onChange={(event) =>
              setOverride({ shape: "table", delimiter: event.currentTarget.value as Delimiter })
            }
          />
          <NativeSelect
            label="Its first row"
            value={reading.headerLine === null ? "no" : "yes"}
            data={[
              { value: "yes", label: "is a header" },
              { value: "no", label: "is a person" },
            ]}
            onChange={(event) => {
              const { columns: _, ...rest } = override;
              setOverride({ ...rest, shape: "table", header: event.currentTarget.value === "yes" });
            }}
          />
        </>
      )}
    </Stack>
  );
}
