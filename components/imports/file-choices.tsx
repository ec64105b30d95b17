import { NativeSelect, Stack, Text } from "@mantine/core";
import { useTranslations } from "use-intl";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import type { Chosen, EncodingChoice, FileRemark, SheetChoice } from "./files/file-types";
import type { List } from "./use-list";

type Props<Choice> = { file: string; choice: Choice; onChoose(change: Chosen): void };

/** Shows the detected sheet and encoding of the file. A change reads the file again. */
export function FileChoices({ list: { file, fileName, session } }: { list: List }) {
  const t = useTranslations("imports.files");
  if (!file || file.name !== fileName) return null;
  const { sheet, encoding, remarks, chosen } = file;
  const more = { file: file.file.name, onChoose: (change: Chosen) => session.choose(change) };
  return (
    <Stack gap="xs" mt="xs">
      {remarks.map((remark) => (
        <Text key={remark.kind} size="sm" c="dimmed">
          {remarkText(remark, file.file.name, t)}
        </Text>
      ))}
      {sheet && sheet.options.length > 1 && (
        <SheetSelect choice={{ ...sheet, value: chosen.sheet ?? sheet.value }} {...more} />
      )}
      {encoding && (
        <EncodingSelect choice={{ ...encoding, value: chosen.encoding ?? encoding.value }} {...more} />
      )}
    </Stack>
  );
}

function remarkText(remark: FileRemark, file: string, t: Texts<"imports.files">): string {
  if (remark.kind === "hiddenRows") return t("hiddenRows", { n: remark.rows, sheet: remark.sheet });
  return t("brokenBytes", { n: remark.bytes, file, line: remark.line });
}

function SheetSelect({ file, choice: { value, options }, onChoose }: Props<SheetChoice>) {
  const t = useTranslations("imports.files");
  return (
    <NativeSelect
      label={t("sheet", { file })}
      value={value}
      data={options.map(({ name, rows, hidden }) => ({
        value: name,
        label: hidden ? t("hiddenSheetOption", { name, rows }) : t("sheetOption", { name, rows }),
      }))}
      onChange={(event) => onChoose({ sheet: event.currentTarget.value })}
    />
  );
}

function EncodingSelect({ file, choice: { value, options }, onChoose }: Props<EncodingChoice>) {
  const t = useTranslations("imports.files");
  return (
    <NativeSelect
      label={t("encoding", { file })}
      value={value}
      data={options.map(({ id, label }) => ({ value: id, label: fromServer(label) }))}
      onChange={(event) => onChoose({ encoding: event.currentTarget.value })}
    />
  );
}
