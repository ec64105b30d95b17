import { type PointerEvent, type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { bold } from "../texts/bold";
import type { Outputs } from "../trpc";
import { useCount } from "../ui/numbers";
import { useCalendarDay } from "../ui/time";
import styles from "./overview.module.css";

type Growth = Outputs["newsletters"]["overview"]["growth"];
type Day = Growth["days"][number];

const WIDTH = 1000;
const LINE_HEIGHT = 160;
const BARS_HEIGHT = 64;

/** The line's scale. It starts at zero if the list was less than half as long; otherwise round numbers bound it. */
function scaleOf(totals: number[]): { floor: number; top: number } {
  const [low, high] = [Math.min(...totals), Math.max(...totals)];
  const fromZero = low < high / 2;
  const range = Math.max(fromZero ? high : high - low, 1);
  const step = 10 ** Math.max(0, Math.floor(Math.log10(range)) - 1) * 5;
  const floor = fromZero ? 0 : Math.max(0, Math.floor(low / step - 0.5) * step);
  return { floor, top: Math.max(Math.ceil(high / step) * step, floor + 1) };
}

/**
 * Active people per day as a line, joined people above and departed people below as bars, and the numbers as a table.
 * The chart is plain SVG: a chart library is larger than all other scripts of the page together.
 */
export function Growth({ growth: { days, sum, before } }: { growth: Growth }) {
  const t = useTranslations("overview.growth");
  const formatDay = useCalendarDay();
  const [at, setAt] = useState<number | null>(null);
  const last = days.length - 1;
  const shown = days[at ?? last] as Day;
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const i = Math.floor(((event.clientX - box.left) / box.width) * days.length);
    setAt(Math.min(last, Math.max(0, i)));
  };
  return (
    <figure className={styles.growth}>
      <p aria-hidden="true">{t.rich("day", { ...shown, day: formatDay(shown.day), b: bold })}</p>
      <div onPointerMove={point} onPointerLeave={() => setAt(null)} className={styles.plots}>
        <Line days={days} at={at} />
        <Bars days={days} at={at} />
      </div>
      <p className={styles.axis} aria-hidden="true">
        {[0, Math.floor(last / 2), last].map((i) => (
          <span key={i}>{formatDay((days[i] as Day).day)}</span>
        ))}
      </p>
      <p>
        {t.rich("sum", {
          ...sum,
          days: days.length,
          joinedBefore: before.joined,
          leftBefore: before.left,
          b: bold,
        })}
      </p>
      <DaysTable days={days} />
    </figure>
  );
}

type Shown = { days: Day[]; at: number | null };

/** The horizontal middle of a day. */
const middleOf = (i: number, days: Day[]) => ((i + 0.5) / days.length) * WIDTH;

/** A page-wide drawing with a line through the pointed day. `labels` mark its top and bottom. */
function Plot({
  days,
  at,
  height,
  labels,
  children,
}: Shown & { height: number; labels?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.plot}>
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        style={{ height }}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {children}
        {at !== null && (
          <path d={`M${middleOf(at, days).toFixed(1)} 0V${height}`} className={styles.cursor} />
        )}
      </svg>
      {labels}
    </div>
  );
}

function Line({ days, at }: Shown) {
  const t = useTranslations("overview.growth");
  const count = useCount();
  const { floor, top } = scaleOf(days.map(({ active }) => active));
  const x = (i: number) => middleOf(i, days).toFixed(1);
  const y = (active: number) =>
    (LINE_HEIGHT - ((active - floor) / (top - floor)) * (LINE_HEIGHT - 8)).toFixed(1);
  const line = days.map(({ active }, i) => `${i === 0 ? "M" : "L"}${x(i)} ${y(active)}`).join("");
  return (
    <Plot
      days={days}
      at={at}
      height={LINE_HEIGHT}
      labels={
        <>
          <span>{t("axisTop", { n: top })}</span>
          <span>{count(floor)}</span>
        </>
      }
    >
      {[floor, (floor + top) / 2, top].map((active) => (
        <path key={active} d={`M0 ${y(active)}H${WIDTH}`} className={styles.grid} />
      ))}
      {/* The area below the line is meaningful only on a scale from zero. */}
      {floor === 0 && (
        <path
          d={`${line}L${x(days.length - 1)} ${LINE_HEIGHT}L${x(0)} ${LINE_HEIGHT}Z`}
          className={styles.area}
        />
      )}
      <path d={line} className={styles.stroke} />
    </Plot>
  );
}

function Bars({ days, at }: Shown) {
  const mostJoined = Math.max(1, ...days.map(({ joined }) => joined));
  const most = mostJoined + Math.max(0, ...days.map(({ left }) => left));
  const zero = (mostJoined / most) * BARS_HEIGHT;
  const width = (WIDTH / days.length) * 0.7;
  const bar = (i: number, people: number, sign: 1 | -1) => {
    const height = (people / most) * BARS_HEIGHT;
    const from = middleOf(i, days) - width / 2;
    return people === 0
      ? ""
      : `M${from.toFixed(1)} ${zero.toFixed(1)}h${width.toFixed(1)}v${(-sign * height).toFixed(1)}h-${width.toFixed(1)}Z`;
  };
  return (
    <Plot days={days} at={at} height={BARS_HEIGHT}>
      <path d={days.map(({ joined }, i) => bar(i, joined, 1)).join("")} className={styles.joined} />
      <path d={days.map(({ left }, i) => bar(i, left, -1)).join("")} className={styles.left} />
      <path d={`M0 ${zero.toFixed(1)}H${WIDTH}`} className={styles.grid} />
    </Plot>
  );
}

function DaysTable({ days }: { days: Day[] }) {
  const t = useTranslations("overview.growth");
  const count = useCount();
  const formatDay = useCalendarDay();
  return (
    <details className={styles.days}>
      <summary>{t("showAsTable")}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("column.day")}</th>
            <th scope="col">{t("column.joined")}</th>
            <th scope="col">{t("column.left")}</th>
            <th scope="col">{t("column.active")}</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, joined, left, active }) => (
            <tr key={day}>
              <th scope="row">{formatDay(day)}</th>
              <td>{count(joined)}</td>
              <td>{count(left)}</td>
              <td>{count(active)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
