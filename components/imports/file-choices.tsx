import { NativeSelect, Radio, Stack, Text } from "@mantine/core";
import { count } from "../ui/numbers";
import type { Chosen, FileChoice } from "./files/file-types";
import type { List } from "./use-list";

type Of<Kind extends FileChoice["kind"]> = Extract<FileChoice, { kind: Kind }>;
type Props<Kind extends FileChoice["kind"]> = {
  choice: Of<Kind>;
  chosen: Chosen;
  onChoose(change: Partial<Chosen>): void;
};

/** What the files of the list were taken for: the sheet, the encoding; a change reads them again. */
export function FileChoices({ list: { files, fileName, session } }: { list: List }) {
  if (!files || files.name === null || files.name !== fileName) return null;
  const { choices, remarks, chosen } = files;
  const more = {
    chosen,
    onChoose: (change: Partial<Chosen>) => session.choose(change),
  };
  return (
    <Stack gap="xs" mt="xs" mah={420} style={{ overflowY: "auto" }}>
      {remarks.map((remark) => (
        <Text key={remark} size="sm" c="dimmed">
          {remark}
        </Text>
      ))}
      {choices.map((choice) => {
        if (choice.kind === "sheet")
          return <SheetChoice key={`sheet${choice.file}`} choice={choice} {...more} />;
        return <EncodingChoice key={`encoding${choice.file}`} choice={choice} {...more} />;
      })}
    </Stack>
  );
}

function SheetChoice({ choice, chosen, onChoose }: Props<"sheet">) {
  const { file, fileName, options } = choice;
  if (options.length === 1) return null;
  return (
    <NativeSelect
      label={`Sheet of ${fileName}`}
      value={chosen.sheets[file] ?? choice.value}
      data={options.map(({ name, rows, hidden }) => ({
        value: name,
        label: `${name} (${count(rows)} ${rows === 1 ? "row" : "rows"}${hidden ? ", hidden" : ""})`,
      }))}
      onChange={(event) => onChoose({ sheets: { ...chosen.sheets, [file]: event.currentTarget.value } })}
    />
  );
}

function EncodingChoice({ choice, chosen, onChoose }: Props<"encoding">) {
  const { file, fileName, asked, options } = choice;
  const value = chosen.encodings[file] ?? choice.value;
  const choose = (id: string) => onChoose({ encodings: { ...chosen.encodings, [file]: id } });
  const likely = options.filter(({ sample }) => sample !== null);
  return (
    <>
      {asked && (
        <Radio.Group
          label={`Which version of ${fileName} shows names correctly?`}
          value={value}
          onChange={choose}
        >
          <Stack gap={4} mt={4}>
            {likely.map(({ id, label, sample }) => (
              <Radio key={id} value={id} label={sample} description={label} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <NativeSelect
        label={asked ? "Other encoding" : `Encoding of ${fileName}`}
        value={value}
        data={options.map(({ id, label }) => ({ value: id, label }))}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    </>
  );
}
