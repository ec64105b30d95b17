import { Button, NativeSelect, Stack } from "@mantine/core";
import { useTranslations } from "use-intl";
import { type Delimiter, noteMessages, type Shape, shapes } from "@/server/imports/list-parser/list-types";
import { bold } from "../texts/bold";
import { fromServer } from "../texts/server-sentences";
import { Popover } from "../ui/floating";
import { LinkButton } from "../ui/link-button";
import styles from "./form.module.css";
import { andMore } from "./list-names";
import type { ReadList } from "./use-list";

const delimiterNames = { "\t": "tab", ",": "comma", ";": "semicolon", "|": "pipe", "^": "caret" } as const;
const delimiters = Object.keys(delimiterNames) as Delimiter[];
const mostIgnored = 8;

/** Shows the detected format and lets the user correct it. */
export function FormatChoice({ list }: { list: ReadList }) {
  const t = useTranslations("imports");
  const { reading, override, session } = list;
  const { ignoredKeys, notes, shape, delimiter, headerLine } = reading;
  const parts = [
    t(`format.shapes.${shape}`),
    delimiter && t(`format.delimiters.${delimiterNames[delimiter]}`),
    headerLine !== null && t("format.header", { line: headerLine }),
  ];
  const format = { format: parts.filter(Boolean).join(" · "), b: bold };
  const ignored = andMore(ignoredKeys.slice(0, mostIgnored), ignoredKeys.length, t);
  const corrected = Object.keys(override).length > 0;
  return (
    <div className={styles.format}>
      <p>
        {list.fileName
          ? t.rich("format.readAsFrom", { ...format, file: list.fileName })
          : t.rich("format.readAs", format)}{" "}
        {ignored !== "" && <>{t("format.ignored", { columns: ignored })} </>}
        <Popover width={300} position="bottom-start" shadow="md" trapFocus returnFocus>
          <Popover.Target>
            <LinkButton>{t("format.change")}</LinkButton>
          </Popover.Target>
          <Popover.Dropdown aria-label={t("format.label")}>
            <Corrections list={list} />
            {corrected && (
              <Button variant="subtle" mt="sm" onClick={() => session.setOverride({})}>
                {t("format.detect")}
              </Button>
            )}
          </Popover.Dropdown>
        </Popover>
      </p>
      {reading.kept > 0 && (
        <p>
          {t("format.kept", { n: reading.kept })}{" "}
          <LinkButton onClick={() => session.keep(null)}>{t("format.askAgain")}</LinkButton>
        </p>
      )}
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map(({ code, count: times, lines: [line = 0, ...others] }) => (
            <li key={code}>
              {fromServer(noteMessages[code])}{" "}
              <span>
                {others.length === 0 ? t("format.onLine", { line }) : t("format.times", { n: times, line })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Corrections({ list: { reading, override, session } }: { list: ReadList }) {
  const t = useTranslations("imports");
  const { shape } = reading;
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t("format.shape")}
        value={shape}
        data={shapes.map((value) => ({ value, label: t(`format.shapes.${value}`) }))}
        onChange={(event) => session.setOverride({ shape: event.currentTarget.value as Shape })}
      />
      {shape === "table" && (
        <>
          <NativeSelect
            label={t("format.delimiter")}
            value={reading.delimiter ?? ","}
            data={delimiters.map((value) => ({
              value,
              label: t(`format.delimiters.${delimiterNames[value]}`),
            }))}
            onChange={(event) =>
              session.setOverride({ shape: "table", delimiter: event.currentTarget.value as Delimiter })
            }
          />
          <NativeSelect
            label={t("format.firstRow")}
            value={reading.headerLine === null ? "no" : "yes"}
            data={[
              { value: "yes", label: t("format.firstRowHeader") },
              { value: "no", label: t("format.firstRowPerson") },
            ]}
            onChange={(event) => {
              const { columns: _, ...rest } = override;
              session.setOverride({ ...rest, shape: "table", header: event.currentTarget.value === "yes" });
            }}
          />
        </>
      )}
    </Stack>
  );
}
