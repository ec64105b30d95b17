import { NativeSelect, Radio, Stack, Text } from "@mantine/core";
import { useTranslations } from "use-intl";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import type { Chosen, FileChoice, FileRemark } from "./files/file-types";
import type { List } from "./use-list";

type Of<Kind extends FileChoice["kind"]> = Extract<FileChoice, { kind: Kind }>;
type Props<Kind extends FileChoice["kind"]> = {
  choice: Of<Kind>;
  chosen: Chosen;
  onChoose(change: Partial<Chosen>): void;
};

/** Shows the detected sheet and encoding of each file. A change reads the files again. */
export function FileChoices({ list: { files, fileName, session } }: { list: List }) {
  const t = useTranslations("imports.files");
  if (!files || files.name === null || files.name !== fileName) return null;
  const { choices, remarks, chosen } = files;
  const more = {
    chosen,
    onChoose: (change: Partial<Chosen>) => session.choose(change),
  };
  return (
    <Stack gap="xs" mt="xs" mah={420} style={{ overflowY: "auto" }}>
      {remarks
        .map((remark) => remarkText(remark, t))
        .map((remark) => (
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

function remarkText(remark: FileRemark, t: Texts<"imports.files">): string {
  switch (remark.kind) {
    case "otherSheets": {
      const sheets = remark.sheets.map(({ name, addresses: n }) => t("sheetWithAddresses", { name, n }));
      return t("otherSheets", { file: remark.fileName, sheets: sheets.join(", ") });
    }
    case "hiddenRows":
      return t("hiddenRows", { n: remark.rows, sheet: remark.sheet });
    case "brokenBytes":
      return t("brokenBytes", { n: remark.bytes, file: remark.fileName, line: remark.line });
  }
}

function SheetChoice({ choice, chosen, onChoose }: Props<"sheet">) {
  const t = useTranslations("imports.files");
  const { file, fileName, options } = choice;
  if (options.length === 1) return null;
  return (
    <NativeSelect
      label={t("sheet", { file: fileName })}
      value={chosen.sheets[file] ?? choice.value}
      data={options.map(({ name, rows, hidden }) => ({
        value: name,
        label: hidden ? t("hiddenSheetOption", { name, rows }) : t("sheetOption", { name, rows }),
      }))}
      onChange={(event) => onChoose({ sheets: { ...chosen.sheets, [file]: event.currentTarget.value } })}
    />
  );
}

function EncodingChoice({ choice, chosen, onChoose }: Props<"encoding">) {
  const t = useTranslations("imports.files");
  const { file, fileName, asked, options } = choice;
  const value = chosen.encodings[file] ?? choice.value;
  const choose = (id: string) => onChoose({ encodings: { ...chosen.encodings, [file]: id } });
  const likely = options.filter(({ sample }) => sample !== null);
  return (
    <>
      {asked && (
        <Radio.Group label={t("whichEncoding", { file: fileName })} value={value} onChange={choose}>
          <Stack gap={4} mt={4}>
            {likely.map(({ id, label, sample }) => (
              <Radio key={id} value={id} label={sample} description={fromServer(label)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <NativeSelect
        label={asked ? t("otherEncoding") : t("encoding", { file: fileName })}
        value={value}
        data={options.map(({ id, label }) => ({ value: id, label: fromServer(label) }))}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    </>
  );
}
